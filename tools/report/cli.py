# SPDX-License-Identifier: GPL-2.0-only
"""Flags, files in, page out. Exit code 2 and a message if something is wrong with one of them."""

import argparse
import pathlib
import sys

from . import page
from .load import ReportError, load

HELP = """Writes one page with tables and interactive pictures of result files (--json of the
programs, schema roce-result/1). The page needs no network and no other file: open it in a browser,
send it by mail. Several files become sections of one page. The same files give the same page, byte
for byte."""


def parse(arguments):
    """Flags and arguments."""
    parser = argparse.ArgumentParser(prog="roce-report", description=HELP)
    parser.add_argument("results", nargs="+", metavar="RESULT.json",
                        help="a result file, schema roce-result/1")
    parser.add_argument("-o", "--output", required=True, metavar="PAGE.html",
                        help="page to write; its folder is made if it is missing")
    parser.add_argument("--title", help="heading of the page, in place of the programs' names")
    return parser.parse_args(arguments)


def shown(name):
    """A file name for people; bytes that are no UTF-8 become U+FFFD."""
    return str(name).encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def same(one, other):
    """Whether both are one existing file."""
    try:
        return pathlib.Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def write(out, text):
    """The page, or a message that names it."""
    try:
        pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(out).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReportError(f"{out}: cannot be written: {reason}; expected a file name in a folder "
                          f"that you may write to") from error


def main(arguments=None):
    """Exit code: 0, or 2 if a file or a flag is wrong."""
    flags = parse(arguments)
    try:
        for path in flags.results:
            if same(path, flags.output):
                raise ReportError(f"{path}: is named as result and as page; expected another file "
                                  f"after -o")
        files = [(shown(path), load(path)) for path in flags.results]
        programs = list(dict.fromkeys(data["program"] for _, data in files))
        title = shown(flags.title or "") or "Report: " + ", ".join(programs)
        write(flags.output, page.build(files, title))
    except ReportError as error:
        print(f"roce-report: {shown(error)}", file=sys.stderr)
        return 2
    print(f"roce-report: wrote {shown(flags.output)}")
    return 0
