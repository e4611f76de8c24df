#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the code blocks of README.md and doc/*.rst.

usage: tools/test-docs.py [--build=FOLDER] [--list] [PAGE...]

- sh: run by bash in a folder that looks like the top of the repository after a build; the blocks
  of a page share it, in their order
- cpp: programs (with main) and fragments are compiled and run
- json: parsed; an experiment, topology or workload is given to its program
- python: run with the package of the build; README.md and doc/python.rst are those of
  bindings/tests/test_docs.py
- text: compared with what the block before it printed, if its marker says so
Markers are comments before a block, ".. KEY: VALUE" or "<!-- KEY: VALUE -->":
  not run: REASON   it is not run
  given: C++        stands before a fragment
  file: PATH        save it for later blocks
  prints: TEXT      it prints this, among others
  output            (text) the block before it prints this; "..." stands for anything
  needs: NAMES      skipped without them: programs, python:MODULE, build/FILE
Fails, naming the place, if a block fails, or does not say what it is. Skipped blocks are listed.
"""

import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from blocks import pages, run  # noqa: E402  (beside this file)

PYTHON_ELSEWHERE = {"README.md", "doc/python.rst"}


def skip_reason(block, build):
    """Why the block is not run here, or None."""
    if "not run" in block.markers:
        return block.get("not run")
    if block.language == "python" and block.page in PYTHON_ELSEWHERE:
        return "bindings/tests/test_docs.py runs it"
    if block.language == "python" and not (build / "python" / "roce").is_dir():
        return "no Python package in the build"
    lacking = run.missing(block, build)
    return f"no {lacking}" if lacking else None


def test(root, build, work, only=()):
    """(problems, counts) of all pages; counts: language -> [run, not run, CPU seconds]."""
    blocks, problems = pages.read(root)
    blocks = [block for block in blocks if not only or block.page in only]
    counts = {}
    if problems:
        return problems, counts
    runner = run.Runner(root, build, work)
    skipped = {block.place: skip_reason(block, build) for block in blocks}
    runner.later = {block.place for number, block in enumerate(blocks) if "file" in block.markers
                    and any(block.get("file") in other.text and not skipped[other.place]
                            for other in blocks[number + 1:] if other.page == block.page)}
    runner.prepare([block for block in blocks if not skipped[block.place]])
    page = None
    for block in blocks:
        if block.page != page:
            page = block.page
            runner.begin(page)
        if block.language == "text" and "output" not in block.markers:
            continue
        count = counts.setdefault(block.language, [0, 0, 0.0])
        if skipped[block.place]:
            count[1] += 1
            print(f"{block.place}: {block.language}, not run: {skipped[block.place]}")
            runner.save(block)
            continue
        try:
            used = runner.run(block)
            count[0] += 1
            count[2] += used
            if used > 1:
                print(f"{block.place}: {block.language}, {used:.1f} s of CPU")
        except run.Failure as failure:
            problems.append(f"{block.place}: {block.language}: {failure}")
    return problems, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=root)
    parser.add_argument("--build", type=pathlib.Path, help="default: build")
    parser.add_argument("--list", action="store_true", help="list the blocks, run nothing")
    parser.add_argument("pages", nargs="*", help="as doc/tutorial.rst; default: all")
    args = parser.parse_args()
    if args.list:
        for block in pages.read(args.root)[0]:
            print(f"{block.place}: {block.language} {block.markers or ''}")
        return 0
    build = (args.build or args.root / "build").resolve()
    with tempfile.TemporaryDirectory(prefix="roce-blocks-") as folder:
        try:
            problems, counts = test(args.root.resolve(), build, pathlib.Path(folder), args.pages)
        except RuntimeError as error:
            problems, counts = [str(error)], {}
    for line in problems:
        print(line)
    for language, (done, left, seconds) in sorted(counts.items()):
        print(f"test-docs: {language}: {done} run, {left} not run, {seconds:.1f} s of CPU")
    print(f"test-docs: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
