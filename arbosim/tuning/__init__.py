"""Tuning: looking for better values of a strategy's parameters, and confirming on new deals that they are better."""
