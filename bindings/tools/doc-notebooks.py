#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the notebooks of bindings/notebooks and writes them as pages of the manual, with outputs.

usage: PYTHONPATH=build/python bindings/tools/doc-notebooks.py [--check] [NAME...]

A notebook bindings/notebooks/NAME.ipynb becomes doc/notebooks/NAME.rst and pictures
doc/figures/notebooks/NAME-1.png, ... --check runs nothing: it fails if the text and the code of a
page are not those of its notebook, or if a picture is missing or left over. NAME: only these.

Needs jupyter-nbconvert, python3-ipykernel, matplotlib (with Pillow) and pandas; --check needs
nothing. Of Markdown it takes what the notebooks use: headings, paragraphs, lists, indented code,
`code`, *emphasis*, and formulas of one line; ValueError names what else it finds.
"""

import argparse
import base64
import importlib.util
import io
import json
import os
import pathlib
import re
import sys

BINDINGS = pathlib.Path(__file__).resolve().parent.parent
NOTEBOOKS = BINDINGS / "notebooks"
DOC = BINDINGS.parent / "doc"
OUTPUT = ".. container:: output"
MADE = ".. Outputs: "
TEX = {r"\cdot": "·", r"\times": "×", r"\le": "≤", r"\ge": "≥", r"\approx": "≈", r"\,": " ", "\\ ": " "}


def names():
    """Names of all notebooks, without .ipynb."""
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def indent(text, width=3):
    return "\n".join(" " * width + line if line else "" for line in text.splitlines())


def formula(tex):
    """A formula of TeX as plain text."""
    text = re.sub(r"\\(?:mathrm|text)\{([^{}]*)\}", r"\1", tex)
    for command, plain in TEX.items():
        text = text.replace(command, plain)
    if re.search(r"[\\{}]", text):
        raise ValueError(f"${tex}$: a formula with what is not known: {text}")
    return " ".join(text.split())


def inline(text):
    """A paragraph of Markdown as reStructuredText."""
    out = []
    for part in re.split(r"(`[^`]+`|\$[^$]+\$|(?<!\w)\*\*?[^*\s][^*]*\*\*?(?!\w))", text):
        if re.fullmatch(r"`[^`]+`", part):
            out.append(f"`{part}`")
        elif re.fullmatch(r"\$[^$]+\$", part):
            out.append(formula(part[1:-1]))
        elif re.fullmatch(r"\*\*?[^*]+\*\*?", part):
            out.append(part)
        elif re.search(r"[`$<>]|\]\(", part):
            raise ValueError(f"{part!r}: Markdown that is not known here")
        else:
            out.append(re.sub(r"([\\*|])|(?<=\w)_(?!\w)", r"\\\g<0>", part))
    return "".join(out)


def markdown(text):
    """A text cell as reStructuredText."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        heading = re.fullmatch(r"(#{1,3}) (.*)", block)
        if heading:
            title = inline(heading.group(2))
            out.append(title + "\n" + "=-~"[len(heading.group(1)) - 1] * len(title))
        elif all(line.startswith("    ") for line in lines):
            out.append(".. code-block:: text\n\n" + indent("\n".join(line[4:] for line in lines)))
        elif re.fullmatch(r"\$\$.*\$\$", block, re.S):
            out.append(indent(formula(block[2:-2])))
        elif lines[0].startswith("- "):
            out.append("\n".join(inline(line) for line in lines))
        elif re.match(r"[#>|]|\d+\. ", block):
            raise ValueError(f"{block!r}: Markdown that is not known here")
        else:
            out.append(inline(block))
    return "\n\n".join(out)


def code(text):
    """A code cell as reStructuredText."""
    force = "   :force:\n" if re.search(r"^%", text, re.M) else ""  # a magic word is no Python
    return f".. code-block:: python\n{force}\n" + indent(text)


def drawn_by(source, number):
    """What a picture shows: the first line of what draws it."""
    import roce

    called = re.findall(r"roce\.plot\.(\w+)\(", source)
    text = getattr(roce.plot, called[min(number, len(called) - 1)]).__doc__ if called else ""
    first = text.split("\n", 1)[0].rstrip(".:")
    return first.replace("Draw ", "Picture: ", 1) if first else "Picture: drawn by the code above"


def small(png):
    """A picture with few colours, as bytes."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    out = io.BytesIO()
    picture.quantize(128, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def output_blocks(name, cells):
    """Outputs of a notebook that was run: a list of blocks for each cell, and pictures by name."""
    blocks, pictures = [], {}
    for cell in cells:
        mine, number = [], 0
        for output in cell.get("outputs", []):
            shown = output.get("data", {})
            if "image/png" in shown:
                file = f"{name}-{len(pictures) + 1}.png"
                pictures[file] = base64.b64decode(shown["image/png"])
                alt = drawn_by("".join(cell["source"]), number)
                mine.append(f".. image:: ../figures/notebooks/{file}\n   :alt: {alt}")
                number += 1
                continue
            text = "".join(output.get("text", "") or shown.get("text/plain", "")).rstrip()
            text = "\n".join(line.rstrip() for line in text.splitlines())
            mine.append(".. code-block:: text\n\n" + indent(text))
        blocks.append(mine)
    return blocks, pictures


def made():
    """A comment that says with what outputs were made."""
    import pandas
    import roce

    return f"{MADE}roce {roce.__version__}, ns-3 {roce.ns3_version}, pandas {pandas.__version__}"


def page(name, cells, blocks=None):
    """A notebook as a page. blocks: outputs of each cell; None: without."""
    out = [
        ".. SPDX-License-Identifier: GPL-2.0-only",
        f".. Made by bindings/tools/doc-notebooks.py from bindings/notebooks/{name}.ipynb; do not edit.",
    ]
    if blocks:
        out.append(made())
    for number, cell in enumerate(cells):
        text = "".join(cell["source"])
        try:
            out.append(markdown(text) if cell["cell_type"] == "markdown" else code(text))
        except ValueError as error:
            raise ValueError(f"{name}.ipynb, cell {number + 1}: {error}") from error
        if blocks and blocks[number]:
            out.append(OUTPUT + "\n\n" + "\n\n".join(indent(block) for block in blocks[number]))
    return "\n\n".join(out) + "\n"


def without_outputs(text):
    """A page as page() makes it without outputs."""
    kept, inside = [], False
    for line in text.splitlines():
        if line == OUTPUT or line.startswith(MADE):
            inside = True
            while kept and not kept[-1]:
                kept.pop()
        elif inside and (not line or line.startswith(" ")):
            continue
        else:
            if inside:
                kept.append("")
            inside = False
            kept.append(line)
    return "\n".join(kept) + "\n"


def load(name):
    """Cells of a notebook."""
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def check(wanted):
    """What is wrong with the pages, a list of lines."""
    problems, figures = [], DOC / "figures" / "notebooks"
    for name in wanted:
        path = DOC / "notebooks" / f"{name}.rst"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if without_outputs(text) != page(name, load(name)):
            problems.append(f"doc/notebooks/{name}.rst is not that of its notebook: run "
                            "bindings/tools/doc-notebooks.py")
        shown = set(re.findall(r"figures/notebooks/([\w.-]+)", text))
        there = {found.name for found in figures.glob(f"{name}-*.png")}
        for file in sorted(shown ^ there):
            what = "is missing" if file in shown else "is on no page"
            problems.append(f"doc/figures/notebooks/{file} {what}")
    for path in sorted((DOC / "notebooks").glob("*.rst")):
        if path.stem not in names():
            problems.append(f"doc/notebooks/{path.name} has no notebook")
    return problems


def differs(name, cells):
    """Whether the outputs of a notebook that was run are not those of its page; pictures are not
    compared, and nothing is if the page was made with other versions."""
    text = (DOC / "notebooks" / f"{name}.rst").read_text(encoding="utf-8")
    return made() in text and page(name, cells, output_blocks(name, cells)[0]) != text


def write(name, cells):
    """The page and the pictures of a notebook that was run."""
    figures = DOC / "figures" / "notebooks"
    figures.mkdir(parents=True, exist_ok=True)
    (DOC / "notebooks").mkdir(exist_ok=True)
    for old in figures.glob(f"{name}-*.png"):
        old.unlink()
    blocks, pictures = output_blocks(name, cells)
    for file, png in pictures.items():
        (figures / file).write_bytes(small(png))
    (DOC / "notebooks" / f"{name}.rst").write_text(page(name, cells, blocks), encoding="utf-8")


def run(name):
    """Cells of a notebook with outputs, run as the tests do it."""
    path = BINDINGS / "tests" / "test_notebooks.py"
    spec = importlib.util.spec_from_file_location("test_notebooks", path)
    tests = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    if tests.MISSING:
        sys.exit(f"doc-notebooks: {tests.MISSING}")
    tests.prepare()
    return tests.executed(NOTEBOOKS / f"{name}.ipynb").cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, run nothing")
    parser.add_argument("names", nargs="*", metavar="NAME", help="notebooks, without .ipynb")
    args = parser.parse_args()
    unknown = set(args.names) - set(names())
    if unknown:
        parser.error(f"no notebook {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    wanted = args.names or names()
    if args.check:
        problems = check(wanted)
        print("\n".join(problems), end="\n" if problems else "")
        return 1 if problems else 0
    for name in wanted:
        write(name, run(name))
        print(f"doc-notebooks: doc/notebooks/{name}.rst", file=sys.stderr)
    return 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
