#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# The programs that the tests run, quick ones: by ns-3's test.py in-tree, by ctest stand-alone.

# (program and arguments, run it?, run it under valgrind?)
cpp_examples = [
]

# (script, run it?)
python_examples = []
