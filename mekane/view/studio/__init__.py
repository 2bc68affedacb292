"""The studio: a model's text, sliders for its numbers, and its motion, on one page. The text is all there is: a slider
changes it."""
