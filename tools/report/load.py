# SPDX-License-Identifier: GPL-2.0-only
"""Reads result files (schema roce-result/1) and says what is wrong with one."""

import json
import math
import pathlib

SCHEMA = "roce-result/1"


class ReportError(Exception):
    """What is wrong: the file, what was found, what was expected."""


STATISTIC = ("min", "mean", "p50", "p99", "max")
# key of the file -> kind; all are needed
TOP_KEYS = {"program": "text", "version": "text", "ns3": "text", "seed": "number",
            "run": "number", "config": "object", "runs": "list"}
# key of a run -> kind and whether it is needed; what is not here is shown in a generic table
RUN_KEYS = {
    "label": ("text", True),
    "sim_time_s": ("number", False),
    "wall_s": ("number", False),
    "events": ("number", False),
    "frame_hops": ("number", False),
    "messages.posted": ("number", True),
    "messages.completed": ("number", True),
    "messages.failed": ("number", False),
    "messages.bytes": ("number", False),
    "messages.lost": ("number", False),
    **{f"fct_ns.{name}": ("number or null", True) for name in STATISTIC},
    **{f"slowdown.{name}": ("number or null", False) for name in STATISTIC},
    **{f"ttd_ns.{name}": ("number or null", False) for name in ("mean", "std", "cov")},
    "goodput_bps": ("number or null", True),
    "utilization.mean": ("number or null", True),
    "utilization.bottleneck": ("number or null", True),
    **{f"drops.{name}": ("number", True) for name in ("lossless", "lossy", "watchdog", "error")},
    "pfc.xoff": ("number", True),
    "pfc.xon": ("number", False),
    "pfc.paused_s": ("number", False),
    "pfc.storms": ("number", False),
    "pfc.frames": ("number", False),
    "pfc.xoff_per_s": ("list of number pairs", False),
    "cnp.sent": ("number", True),
    "cnp.received": ("number", True),
    "cnp.per_s": ("list of number pairs", False),
    "cc.active": ("true or false", False),
    "cc.rate_changes": ("number", False),
    "cc.window_changes": ("number", False),
    "cc.cnps": ("number", False),
    "cc.int_acks": ("number", False),
    **{key: ("number", False) for key in ("ecn_marked", "retransmitted", "read_responses", "naks",
                                          "rnr_naks", "timeouts")},
    "stalled": ("list of objects", False),
    "fct_cdf": ("list of number pairs", False),
    "drop_reasons": ("object", False),
    "queues.max_bytes_over_s": ("list of number pairs", False),
    **{f"queues.{name}": ("number", False) for name in ("interval_ns", "samples", "max_bytes",
                                                        "max_switch", "max_port", "max_priority")},
    **{key: ("number or null", False) for key in ("algbw_Bps", "busbw_Bps", "gpu_utilization",
                                                  "step_s", "exposed_comm_s", "collective_s",
                                                  "job_s")},
    "traffic_bytes": ("object", False),
}
KNOWN = {key.split(".")[0] for key in RUN_KEYS}


def describe(value):
    """A value of a file, short enough for a message."""
    names = {str: "text", bool: "true or false", int: "number", float: "number", dict: "object",
             list: "list", type(None): "null"}
    text = json.dumps(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({names[type(value)]})"


def is_number(value):
    """Whether it is a number of JSON; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_pairs(value):
    """Whether it is [[number, number], ...]."""
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(is_number, pair)) for pair in value)


KINDS = {
    "text": lambda value: isinstance(value, str),
    "number": is_number,
    "number or null": lambda value: value is None or is_number(value),
    "true or false": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
    "list of objects": lambda value: isinstance(value, list) and all(
        isinstance(item, dict) for item in value),
    "list of number pairs": is_pairs,
}


def get(data, key, default=None):
    """The value of a dotted key, or default."""
    for part in key.split("."):
        if not isinstance(data, dict) or part not in data:
            return default
        data = data[part]
    return data


def a(kind):
    """A kind with its article."""
    return f"{'an' if kind == 'object' else 'a'} {kind}"


def check_key(data, key, kind, needed, where):
    """One dotted key of an object."""
    place = data
    done = []
    for part in key.split("."):
        if not isinstance(place, dict):
            raise ReportError(f"{where}: {'.'.join(done)} is {describe(place)}, expected an object")
        done.append(part)
        if part not in place:
            if needed:
                keys = ", ".join(list(place)[:12]) or "none"
                raise ReportError(f"{where}: the key {'.'.join(done)} is missing; expected {key}, "
                                  f"{a(kind)}; found the keys {keys}")
            return
        place = place[part]
    if not KINDS[kind](place):
        raise ReportError(f"{where}: {key} is {describe(place)}, expected {a(kind)}")


def check(data, path):
    """Refuses what the page could not show."""
    if not isinstance(data, dict):
        raise ReportError(f"{path}: found {describe(data)}, expected an object with "
                          f"\"schema\": \"{SCHEMA}\"")
    if data.get("schema") != SCHEMA:
        found = describe(data["schema"]) if "schema" in data else "no key \"schema\""
        raise ReportError(f"{path}: schema: found {found}, expected \"{SCHEMA}\"")
    for key, kind in TOP_KEYS.items():
        check_key(data, key, kind, True, path)
    if not data["runs"]:
        raise ReportError(f"{path}: runs is an empty list, expected at least one run")
    for number, run in enumerate(data["runs"]):
        where = f"{path}: runs[{number}]"
        if not isinstance(run, dict):
            raise ReportError(f"{where}: found {describe(run)}, expected an object")
        if isinstance(run.get("label"), str):
            where += f" {json.dumps(run['label'])}"
        for key, (kind, needed) in RUN_KEYS.items():
            check_key(run, key, kind, needed, where)


def refuse_constant(name):
    """NaN and Infinity are no JSON, though Python would take them."""
    raise ValueError(f"found {name}, expected a number or null")


def finite(text):
    """A number with a fraction or exponent; 1e999 would become infinity."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"found {text}, expected a number that a double can hold")
    return value


def whole(text):
    """A number without a fraction; a double must be able to hold it too."""
    if len(text) > 300:
        raise ValueError(f"found a number of {len(text)} digits, expected at most 300")
    return int(text)


def clean(value):
    """Lone surrogates, which UTF-8 cannot write, become U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value


def load(path):
    """The object of a result file, checked."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ReportError(f"{path}: found bytes that are no UTF-8 ({error.reason} at byte "
                          f"{error.start}), expected JSON") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReportError(f"{path}: cannot be read: {reason}") from error
    try:
        data = json.loads(text, parse_constant=refuse_constant, parse_float=finite,
                          parse_int=whole)
        data = clean(data)
        check(data, path)
    except ValueError as error:
        raise ReportError(f"{path}: no JSON: {error}; expected a result file, schema "
                          f"{SCHEMA}") from error
    except RecursionError as error:
        raise ReportError(f"{path}: lists or objects are nested too deep; expected a result file, "
                          f"schema {SCHEMA}") from error
    return data
