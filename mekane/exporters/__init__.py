"""Exporters: a result as a file. One file here for each kind of file."""
