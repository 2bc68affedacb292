"""Settings of the site. The pages are staged and built by docs/make_site.py; see there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import mekane

project = "Mekane"
author = "The Mekane authors"
copyright = "2026, The Mekane authors"
release = version = mekane.__version__

extensions = ["myst_parser", "mathml"]
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_fence_as_directive = ["math"]  # ```math, as GitHub writes it
myst_dmath_double_inline = True
myst_dmath_allow_digits = False  # "$2/l" is a parameter
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
nitpicky = True

html_theme = "furo"
html_title = "Mekane"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1c5d99", "color-brand-content": "#1c5d99"},
    "dark_css_variables": {"color-brand-primary": "#7ab8f5", "color-brand-content": "#7ab8f5"},
}
highlight_language = "text"  # of a block that names none
pygments_style, pygments_dark_style = "friendly", "monokai"
