"""Pictures and films without a browser: a depth buffer in NumPy."""
