# SPDX-License-Identifier: GPL-2.0-only
"""Numbers and units as people read them."""

NONE = "\u2013"  # what a statistic of nothing shows as

# unit of a key -> (from this value on, factor, name), least first
SCALES = {
    "ns": [(0, 1, "ns"), (1e3, 1e-3, "\u00b5s"), (1e6, 1e-6, "ms"), (1e9, 1e-9, "s")],
    "s": [(0, 1e9, "ns"), (1e-6, 1e6, "\u00b5s"), (1e-3, 1e3, "ms"), (1, 1, "s")],
    "bps": [(0, 1, "bit/s"), (1e6, 1e-6, "Mb/s"), (1e9, 1e-9, "Gb/s")],
    "Bps": [(0, 1, "B/s"), (1e6, 1e-6, "MB/s"), (1e9, 1e-9, "GB/s")],
    "bytes": [(0, 1, "B"), (1e3, 1e-3, "kB"), (1e6, 1e-6, "MB"), (1e9, 1e-9, "GB")],
    "per s": [(0, 1, "1/s"), (1e4, 1e-3, "thousand/s"), (1e7, 1e-6, "million/s")],
}


def scale(values, unit):
    """Factor and name of the unit for values: by the largest one. Other units stay as they are."""
    largest = max((abs(value) for value in values if value is not None), default=0)
    if unit not in SCALES:
        return 1, unit
    if largest == 0:  # the middle of the road, for zeros
        return SCALES[unit][1][1:] if unit in ("ns", "s") else SCALES[unit][0][1:]
    return [entry for entry in SCALES[unit] if largest >= entry[0]][-1][1:]


def number(value, digits=5):
    """A number for people: thousands apart, at most so many significant digits."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**15 else f"{float(value):.{digits}g}"
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e15:
        return f"{value:.{digits}g}"
    text = f"{value:.{digits}g}"
    if "e" in text:  # more digits before the point than asked for
        return f"{value:,.0f}"
    whole, point, fraction = text.partition(".")
    fraction = fraction.rstrip("0")
    return f"{int(whole):,}{point}{fraction}" if fraction and not whole.startswith("-0") \
        else text if fraction else f"{int(whole):,}"


def times(value, factor):
    """value x factor; None stays None, whole numbers stay whole."""
    if value is None or factor == 1:
        return value
    return float(f"{value * factor:.12g}")  # 0.1 + 0.2 is no figure of a result
