"""Where a system can stay at rest, whether it is stable there, and how equilibria move with a parameter."""
