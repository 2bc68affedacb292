"""Results: what a run holds, and everything that follows from it, computed on demand."""
