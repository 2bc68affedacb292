"""How the functions and methods of the user are called, explained and found: arguments, help, lazy imports, words of other programs."""
