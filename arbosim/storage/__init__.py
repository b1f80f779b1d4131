"""Results in and out of files."""
