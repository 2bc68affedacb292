"""Formulas as text, LaTeX, MathML, Markdown, HTML and SymPy."""
