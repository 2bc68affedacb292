"""The scene: what each part of a system looks like, as plain data."""
