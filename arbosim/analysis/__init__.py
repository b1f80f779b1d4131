"""Tables in, tables out: frames, standings, comparisons."""
