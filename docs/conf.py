"""The site: the essays, the notation, and the reference.

All pages are Markdown that a repository's front page shows as well, which MyST reads. Nothing is fetched.
"""
from subwordio.commands import installed_version

project = "linmaxmatch and incbpe"
release = installed_version()
extensions = ["myst_parser"]
html_theme = "furo"
html_title = project
exclude_patterns = ["play"]
myst_heading_anchors = 3
myst_url_schemes = ("http", "https")
