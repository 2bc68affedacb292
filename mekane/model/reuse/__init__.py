"""Re-use: the parts of one system added to another, placed, renamed and mirrored."""
