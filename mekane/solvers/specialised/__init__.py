"""Specialised code in a run: when it takes over from the loops, and how it is called."""
