"""Adds to Mekane what it does not have. Its entry points are in pyproject.toml."""
