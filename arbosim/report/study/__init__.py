"""The sections of the page about a study, each a function from what the study found to HTML."""
