# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx: sphinx-build -W -b html doc out/doc"""

import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent
lists = (root / "CMakeLists.txt").read_text(encoding="utf-8")

project = "roce"
author = "The roce authors"
copyright = author
version = release = re.search(r"set\(roce_version ([\d.]+)\)", lists).group(1)
master_doc = "index"
source_suffix = ".rst"
exclude_patterns = []
highlight_language = "none"
html_theme = "alabaster"
html_theme_options = {"page_width": "75em", "sidebar_width": "15em"}
html_show_copyright = False
html_copy_source = False
