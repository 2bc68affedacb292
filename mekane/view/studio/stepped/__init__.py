"""Play = simulate by the studio itself: models that cannot be simulated in a page are stepped in a process of their own, and
bodies are dragged there."""
