"""One game of any kind: checks, conformance, replay."""
