"""Vocabulary that knows no game: contracts, registry, seeds, digests, random numbers, errors."""
