"""Expressions multiplied out, collected, and cut into intermediate variables."""
