#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests the checkers: each rule must pass a clean tree and find its own violation.

usage: tools/test-checkers.py
"""

import contextlib
import importlib.util
import io
import pathlib
import shutil
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parent
HEAD = "/*\n * SPDX-License-Identifier: GPL-2.0-only\n */\n"


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


LAYERS = load("check-layers")
FILES = load("check-files")
DOXYGEN = load("check-doxygen")
DOCS = load("test-docs")


def header(name, body=""):
    guard = name.upper().replace("-", "_").replace(".", "_")
    return f"{HEAD}#ifndef {guard}\n#define {guard}\n{body}\n#endif\n"


BINDINGS = (
    "# SPDX-License-Identifier: GPL-2.0-only\nset(roce_py_sources\n    src/py-nic.cc\n)\n"
)
def notebook(outputs="[]", count="null", license_name="GPL-2.0-only", text="x = 1", version=4):
    return (
        '{"cells": [{"cell_type": "code", "execution_count": %s, "metadata": {}, "outputs": %s, '
        '"source": ["%s"]}], "metadata": {"license": "%s"}, "nbformat": %d, "nbformat_minor": 5}\n'
        % (count, outputs, text, license_name, version)
    )


CLEAN = {
    "CMakeLists.txt": "# SPDX-License-Identifier: GPL-2.0-only\n"
    "set(roce_sources\n    model/nic/roce-nic.cc\n)\n"
    "set(roce_headers\n    model/base/roce-psn.h\n    model/congestion/roce-congestion-control.h\n"
    "    model/congestion/roce-dcqcn.h\n    model/nic/roce-nic.h\n    model/switch/roce-switch.h\n)\n"
    "set(roce_tests\n)\nset(roce_catch_tests\n)\n",
    "model/base/roce-psn.h": header("roce-psn.h", '#include "ns3/object.h"\n#include <map>'),
    "model/congestion/roce-congestion-control.h": header(
        "roce-congestion-control.h", '#include "ns3/roce-psn.h"'
    ),
    "model/congestion/roce-dcqcn.h": header(
        "roce-dcqcn.h", '#include "roce-congestion-control.h"'
    ),
    "model/nic/roce-nic.h": header(
        "roce-nic.h",
        "class Nic\n{\n  public:\n    Nic();\n    ~Nic();\n    void A(int x = f(1));\n"
        "    int B() const { return 1; }\n    int D() override;\n\n  private:\n    void C();\n};",
    ),
    "model/nic/roce-nic.cc": HEAD + '#include "roce-nic.h"\n\n#include "ns3/roce-dcqcn.h"\n'
    '#include "ns3/ipv4.h"\n\nvoid\nNic::A(int x)\n{\n' + "    f();\n" * 60 + "}\n",
    "model/switch/roce-switch.h": header("roce-switch.h", '#include "ns3/roce-psn.h"'),
    "bindings/CMakeLists.txt": BINDINGS,
    "bindings/src/py-nic.cc": HEAD + '#include "ns3/roce-nic.h"\n',
    "bindings/notebooks/good.ipynb": notebook(),
    "test/roce-helper-of-tests.h": header("roce-helper-of-tests.h"),
    "tools/report/good.js": HEAD + "f();\n" * 297,
    "tools/report/good.html": "<!DOCTYPE html>\n<!-- SPDX-License-Identifier: GPL-2.0-only -->\n",
    "examples/roce-first.cc": HEAD + '#include "ns3/core-module.h"\n#include "ns3/roce-module.h"\n',
}

NIC_CC = CLEAN["model/nic/roce-nic.cc"]
LISTS = CLEAN["CMakeLists.txt"]
MANY = "class Nic\n{\n  public:\n" + "".join(f"    void F{i}();\n" for i in range(26)) + "};"

# checker, file, its content, a part of the message it must give
VIOLATIONS = [
    (LAYERS, "model/base/roce-psn.h", header("roce-psn.h", '#include "ns3/roce-nic.h"'),
     "layer base must not include roce-nic.h"),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", '#include "ns3/roce-switch.h"'),
     "layer nic must not include roce-switch.h"),
    (LAYERS, "model/switch/roce-switch.h", header("roce-switch.h", '#include "ns3/roce-dcqcn.h"'),
     "layer switch must not include roce-dcqcn.h"),
    (LAYERS, "model/workload/roce-x.h", header("roce-x.h", '#include "ns3/roce-nic.h"'),
     "layer workload must not include roce-nic.h"),
    (LAYERS, "model/transport/roce-qp.h", header("roce-qp.h", '#include "ns3/roce-dcqcn.h"'),
     "layer transport must not include roce-dcqcn.h"),
    (LAYERS, "model/nic/roce-nic.cc", HEAD + '#include "ns3/roce-nic.h"\n',
     'write #include "roce-nic.h"'),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", '#include "roce-psn.h"'),
     'write #include "ns3/roce-psn.h"'),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", "#include <ns3/roce-psn.h>"),
     'write #include "ns3/roce-psn.h"'),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", '#include "../base/roce-psn.h"'),
     'write #include "ns3/roce-psn.h"'),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", '#include "ns3/roce-gone.h"'),
     "no header ns3/roce-gone.h"),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", '#include "ns3/core-module.h"'),
     "not core-module.h"),
    (LAYERS, "helper/roce-helper.h", header("roce-helper.h", '#include "ns3/roce-module.h"'),
     "not roce-module.h"),
    (LAYERS, "model/roce-stray.h", header("roce-stray.h"), "one folder for each layer"),
    (LAYERS, "model/base/roce-psn.h", header("roce-psn.h", '#include "ns3/ipv4.h"'),
     "ns3/ipv4.h is of internet"),
    (LAYERS, "model/nic/roce-nic.h", header("roce-nic.h", '#include "ns3/csma-channel.h"'),
     "ns3/csma-channel.h is of another module"),
    (FILES, "model/base/roce-psn.h", header("roce-psn.h").replace("-only", ""), "first three lines"),
    (FILES, "tools/x.py", "print(1)\n", "one of the first three lines"),
    (FILES, "model/base/psn.h", header("psn.h"), "the name must be roce-"),
    (FILES, "helper/roce-psn.h", header("roce-psn.h"), "has the same name"),
    (FILES, "model/base/roce-psn.h", header("roce-psn.h", "\n" * 250), "the limit is 250"),
    (FILES, "model/nic/roce-nic.cc", HEAD + "\n" * 500, "the limit is 500"),
    (FILES, "examples/roce-first.cc", HEAD + "\n" * 150, "the limit is 150"),
    (FILES, "model/nic/roce-nic.cc", NIC_CC.replace("{\n", "{\n    g();\n"), "function of 61 lines"),
    (FILES, "model/nic/roce-nic.h",
     header("roce-nic.h", "class N\n{\n    void\n    F()\n    {\n" + "        f();\n" * 61 + "    }\n};"),
     "function of 61 lines"),
    (FILES, "model/nic/roce-nic.h", header("roce-nic.h", MANY), "has 26 public methods"),
    (FILES, "model/nic/roce-nic.cc", HEAD + "    .AddAttribute(\n" * 13, "13 attributes"),
    (FILES, "model/nic/roce-nic.cc", HEAD + "std::cout << 1;\n", "does not print"),
    (FILES, "model/nic/roce-nic.cc", HEAD + "int x = rand();\n", "random variable stream"),
    (FILES, "model/nic/roce-nic.h", header("roce-other.h"), "guard must be ROCE_NIC_H"),
    (FILES, "README.md", "see /wo" + "rk/main\n", "belongs to one machine"),
    (FILES, "doc/a.rst", "open /ho" + "me/me/x\n", "belongs to one machine"),
    (FILES, "CMakeLists.txt", LISTS.replace("    model/nic/roce-nic.cc\n", ""),
     "roce_sources does not list model/nic/roce-nic.cc"),
    (FILES, "CMakeLists.txt", LISTS.replace("roce-dcqcn.h", "roce-dcqcx.h"), "does not exist"),
    (FILES, "CMakeLists.txt",
     LISTS.replace("    model/base/roce-psn.h\n", "").replace(
         "roce-switch.h\n", "roce-switch.h\n    model/base/roce-psn.h\n"), "is not sorted"),
    (FILES, "test/roce-psn-test-suite.cc", HEAD, "roce_tests does not list"),
    (FILES, "bindings/CMakeLists.txt", BINDINGS.replace("    src/py-nic.cc\n", ""),
     "roce_py_sources does not list bindings/src/py-nic.cc"),
    (FILES, "bindings/src/py-nic.cc", HEAD + "\n" * 300, "the limit is 300"),
    (FILES, "bindings/notebooks/a.ipynb", notebook(outputs='[{"output_type": "stream"}]'),
     "cell 1 has outputs"),
    (FILES, "bindings/notebooks/a.ipynb", notebook(count="3"), "cell 1 has outputs or a count"),
    (FILES, "bindings/notebooks/a.ipynb", notebook(license_name="MIT"), '"license" of its metadata'),
    (FILES, "bindings/notebooks/a.ipynb", notebook(text="x" * 64000), "bytes, limit 64000"),
    (FILES, "bindings/notebooks/a.ipynb", notebook(version=3), "nbformat 3, expected 4"),
    (FILES, "bindings/notebooks/a.ipynb", "{}\n", "is no notebook"),
    (FILES, "bindings/notebooks/a.ipynb", "[", "is no notebook"),
    (FILES, "bindings/src/nic.cc", HEAD, "the name must be bindings/src/py-"),
    (FILES, "bindings/roce/_roce.pyi", "x: int\n", "one of the first three lines"),
    (FILES, "bindings/pyproject.toml", "[project]\n", "one of the first three lines"),
    (LAYERS, "bindings/src/py-nic.cc", HEAD + '#include "roce-nic.h"\n',
     'write #include "ns3/roce-nic.h"'),
    (FILES, "tools/report/chart.js", "// a chart\n", "the first three lines must be"),
    (FILES, "tools/report/chart.css", "p { color: red; }\n", "the first three lines must be"),
    (FILES, "tools/report/page.html", "<!DOCTYPE html>\n", "must be <!--"),
    (FILES, "tools/roce-report", "#!/usr/bin/python3\n", "one of the first three lines must be #"),
    (FILES, "tools/report/long.js", HEAD + "f();\n" * 300, "303 lines, limit 300"),
    (FILES, "test/catch2/catch-psn.cc", HEAD, "roce_catch_tests does not list"),
]


DOCUMENTED = r"""namespace ns3
{
namespace roce
{
/** A cable. */
class Cable
{
  public:
    /** Set the length. \param metres the length */
    void SetLength(int metres);
    /** \return the length */
    int GetLength() const;
    int spare; //!< for later
    void SetUp(bool up); //!< \param up whether it works

  protected:
    /** Forget it. */
    void Clear();

  private:
    int m_metres;
};
/** \return a cable of no length */
Cable MakeCable();
inline constexpr int CABLE_METRES = 3; //!< the usual length
} // namespace roce
} // namespace ns3
"""

# in DOCUMENTED: what is replaced, by what, a part of the warning it must give
UNDOCUMENTED = [
    (r" \param metres the length", "", "parameters of member ns3::roce::Cable::SetLength"),
    (r"\param metres", r"\param length", "argument 'length' of command @param is not found"),
    (r"/** \return the length */", "/** Look. */", "return type of member ns3::roce::Cable::GetLength"),
    (r"/** \return the length */", "", "Member GetLength() const (function) of class"),
    (" //!< for later", "", "Member spare (variable)"),
    ("/** Forget it. */", "", "Member Clear() (function)"),
    ("/** A cable. */", "", "Compound ns3::roce::Cable is not documented"),
    ("Forget it.", r"\forgetit", r"unknown command '\forgetit'"),
    ("Forget it.", "Forget <it>.", "Unsupported xml/html tag <it>"),
    ("Forget it.", r"See \ref Wire.", "unable to resolve reference to 'Wire'"),
    (r"/** \return a cable of no length */", "", "Member MakeCable() (function) of namespace"),
    (" //!< the usual length", "", "Member CABLE_METRES (variable) of namespace"),
]


def test_doxygen():
    """The number of warnings that check-doxygen does not give as it should."""
    if not shutil.which("doxygen"):
        print("test-checkers: no doxygen, tools/check-doxygen.py was not tested")
        return 0
    failed = 0
    for old, new, expected in [("", "", None)] + UNDOCUMENTED:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            write(root, "model/base/roce-cable.h",
                  header("roce-cable.h", DOCUMENTED.replace(old, new) if old else DOCUMENTED))
            write(root, "helper/roce-none.h", header("roce-none.h"))
            for name in ("Doxyfile", "namespaces.dox"):
                write(root, f"doc/{name}", (TOOLS.parent / "doc" / name).read_text())
            warnings = DOXYGEN.Checker(root).run()
        if any(expected in line for line in warnings) if expected else not warnings:
            continue
        failed += 1
        print(f'check-doxygen did not say "{expected}", but: {warnings}')
    return failed


# pages whose blocks are right: none of them may be a problem
GOOD_PAGES = {
    "README.md": "<!-- not run: installs -->\n```sh\nfalse\n```\n\n```text\nx\n```\n",
    "doc/a.rst": """.. a comment: not a marker

.. file: deep/in.json

.. code-block:: json

  {"a": [1, 2]}

Text:

.. prints: 2]

.. code-block:: sh

  cat deep/in.json
  echo two; ls tools build > out.txt

.. output

.. code-block:: text

  {"a": ...]}
  two

.. code-block:: sh

  test -s out.txt

.. needs: no-such-program

.. code-block:: sh

  false

.. not run: built elsewhere

.. code-block:: cpp

  this is no C++
""",
}
# a page, a part of the problem it must be
BAD_PAGES = [
    (".. code-block:: sh\n\n  false\n", "doc/x.rst:3: sh: exit code 1"),
    (".. code-block:: sh\n\n  true\n  echo a | grep b | cat\n", "exit code 1"),
    (".. prints: b\n\n.. code-block:: sh\n\n  echo a\n", "does not print 'b'"),
    (".. code-block:: sh\n\n  echo a\n\n.. output\n\n.. code-block:: text\n\n  b\n", "prints\na"),
    (".. output\n\n.. code-block:: text\n\n  b\n", "no block before it"),
    ('.. code-block:: json\n\n  {"a": 1,}\n', "is no JSON"),
    ('.. code-block:: json\n\n  {"a": 1, "a": 2}\n', "comes twice"),
    ('.. code-block:: json\n\n  {"schema": "roce-x/1"}\n', "schema 'roce-x/1' is not known"),
    ('.. code-block:: json\n\n  {"schema": "roce-experiment/1"}\n', "cannot run build/bin/roce-run"),
    (".. code-block:: cmake\n\n  project(x)\n", "CMake is not run"),
    (".. code-block:: cpp\n\n  f();\n", "compile_commands.json does not exist"),
    ("Commands::\n\n  ls\n", "doc/x.rst:1: a literal block (::) does not say what it is"),
    ("::\n\n  ls\n", "doc/x.rst:1: a literal block (::) does not say what it is"),
    (".. code-block:: bash\n\n  ls\n", "language 'bash' is not known"),
    (".. code-block::\n\n  ls\n", "language '' is not known"),
    (".. code-block:: sh\n\nText\n", "the block is empty"),
    (".. not run:\n\n.. code-block:: sh\n\n  ls\n", "'not run' has no value"),
    (".. given: int x;\n\n.. code-block:: sh\n\n  ls\n", "'given' is not for sh"),
    (".. not run: long\n\nText\n\n.. code-block:: sh\n\n  ls\n", "must stand before a code-block"),
    (".. file: ../x\n\n.. code-block:: sh\n\n  ls\n", "'file' is a path below the top"),
]


def run_pages(pages):
    """The problems that test-docs finds in these pages, with an empty build."""
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        for part in ("root/tools", "build", "work"):
            (top / part).mkdir(parents=True)
        for name, text in pages.items():
            write(top / "root", name, text)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return DOCS.test(top / "root", top / "build", top / "work")
        except RuntimeError as error:
            return [str(error)], {}


def test_docs():
    """The number of pages for which test-docs does not say what it should."""
    problems, counts = run_pages(GOOD_PAGES)
    expected = {"sh": [2, 2], "json": [1, 0], "text": [1, 0], "cpp": [0, 1]}
    failed = 0
    if problems or {name: count[:2] for name, count in counts.items()} != expected:
        failed += 1
        print(f"test-docs of the good pages: {counts}, expected {expected}; {problems}")
    for text, expected in BAD_PAGES:
        problems, _ = run_pages({"doc/x.rst": text})
        if not any(expected in line for line in problems):
            failed += 1
            print(f'test-docs did not say "{expected}" of {text!r}, but: {problems}')
    return failed


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run(checker, change=None):
    """The problems that checker finds in the clean tree after one change."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "repo"
        for name, text in CLEAN.items():
            write(root, name, text)
        ns3 = root / "build" / "ns3"
        write(ns3, "core-module.h", '#include "ns3/object.h"\n')
        write(ns3, "network-module.h", '#include "ns3/packet.h"\n')
        write(ns3, "internet-module.h", "#include <ns3/ipv4.h>\n")
        if change:
            write(root, *change)
        if checker is LAYERS:
            return checker.Checker(root, ns3).run()
        return checker.Checker(root).run()


def main():
    failed = 0
    for checker in (LAYERS, FILES):
        problems = run(checker)
        if problems:
            failed += 1
            print(f"the clean tree has problems by {checker.__name__}: {problems}")
    for checker, name, text, expected in VIOLATIONS:
        problems = run(checker, (name, text))
        if not any(expected in line for line in problems):
            failed += 1
            print(f'{checker.__name__} did not say "{expected}" of {name}, but: {problems}')
    failed += test_doxygen() + test_docs()
    methods = list(FILES.public_methods(CLEAN["model/nic/roce-nic.h"]))
    if [(m[0], m[2]) for m in methods] != [("Nic", 2)]:  # A and B
        failed += 1
        print(f"public_methods of the clean Nic: {methods}, expected 2")
    count = len(VIOLATIONS) + len(UNDOCUMENTED) + len(BAD_PAGES)
    print(f"test-checkers: {count} violations, {failed} not found as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
