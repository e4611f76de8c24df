# SPDX-License-Identifier: GPL-2.0-only
"""The progress bar of roce.run."""

import contextlib
import sys


class _Text:
    """A line on stderr: rewritten on a terminal, else every few per cent."""

    def __init__(self, label):
        self.label = label
        self.terminal = sys.stderr.isatty()
        self.last = -1

    def __call__(self, now, delivered, posted, hops):
        percent = int(100 * delivered / posted) if posted else 0
        if percent == self.last or (not self.terminal and percent < self.last + 10 and percent < 100):
            return
        self.last = percent
        text = f"{self.label}: {now / 1e6:.3f} ms simulated, {percent} % of the bytes"
        print(text, end="\r" if self.terminal else "\n", file=sys.stderr, flush=True)

    def close(self):
        if self.terminal and self.last >= 0:
            print(file=sys.stderr)


class _Tqdm:
    """A bar of tqdm, in terminals and notebooks."""

    def __init__(self, tqdm, label):
        self.bar = tqdm(total=1, desc=label, unit="B", unit_scale=True)

    def __call__(self, now, delivered, posted, hops):
        self.bar.total = max(posted, 1)
        self.bar.set_postfix_str(f"{now / 1e6:.3f} ms simulated", refresh=False)
        self.bar.update(delivered - self.bar.n)

    def close(self):
        self.bar.close()


@contextlib.contextmanager
def bar_of(progress, label):
    """What _run calls now and then: None, the function that was given, or a bar."""
    if progress is None or progress is False:
        yield None
        return
    if callable(progress):
        yield progress
        return
    if progress is not True:
        raise TypeError(f"progress must be a bool or a function, not {progress!r}")
    try:
        from tqdm.auto import tqdm
    except ImportError:
        bar = _Text(label)
    else:
        bar = _Tqdm(tqdm, label)
    try:
        yield bar
    finally:
        bar.close()
