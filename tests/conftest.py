"""Makes the helper modules of this folder (systems, engine) importable from every test."""
