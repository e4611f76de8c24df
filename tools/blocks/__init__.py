# SPDX-License-Identifier: GPL-2.0-only
"""The code blocks of README.md and doc/*.rst, for tools/test-docs.py."""
