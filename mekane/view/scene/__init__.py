"""The scene: the appearance of each part of a system, as plain data."""
