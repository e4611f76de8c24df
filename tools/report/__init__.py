# SPDX-License-Identifier: GPL-2.0-only
"""Parts of roce-report: load, units, charts, series, tables, page, cli; page.html, *.css, *.js."""
