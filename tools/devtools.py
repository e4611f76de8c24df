# SPDX-License-Identifier: GPL-2.0-only
"""Headless Chromium by its DevTools protocol over a pipe, with Python's standard library only."""

import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-extensions", "--mute-audio", "--remote-debugging-pipe"]
KEYS = {"Enter": (13, "\r"), " ": (32, " "), "Tab": (9, ""), "Escape": (27, ""),
        "ArrowRight": (39, ""), "ArrowDown": (40, ""), "End": (35, "")}


class BrowserError(Exception):
    """The browser did not do what it was told."""


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """A browser with one page; a context manager. Problems that pages report are in .problems."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def place():  # the protocol wants descriptors 3 and 4
            high = [os.dup(to_browser), os.dup(from_browser)]
            while min(high) < 5:
                high = [os.dup(fd) for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=place)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.problems = []
        self.requests = []
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", seconds=10)
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        self.folder.cleanup()

    def start(self):
        """Attach to a page and hear what it reports."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, seconds=60, **parameters):
        """A command; its answer. Events that come before it are noted."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + seconds
        while True:
            answer = self.read(until - time.monotonic(), method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.note(answer)

    def read(self, seconds, what):
        """The next message of the browser."""
        while b"\0" not in self.buffer:
            if not select.select([self.into], [], [], max(0, seconds))[0]:
                raise BrowserError(f"{what}: no answer of the browser in time")
            part = os.read(self.into, 1 << 20)
            if not part:
                raise BrowserError(f"{what}: the browser has ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, event):
        """Keep what tells of trouble, and what was fetched."""
        method, values = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.problems.append("exception: " + details.get("exception", {}).get(
                "description", details.get("text", "")).splitlines()[0])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning",
                                                                         "assert"):
            self.problems.append(f"console: {values['args'][0].get('value')}")
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"log: {values['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def run(self, code):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{code}: {answer['exceptionDetails']['exception']['description']}")
        return answer["result"].get("value")

    def wait(self, code, seconds=20):
        """Whether an expression becomes true in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.run(code):
                return True
            time.sleep(0.05)
        return False

    def size(self, width, height, dark=False, still=False):
        """The size of the window, color scheme and motion that the reader prefers."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])

    def open(self, path):
        """Load a file; forgets the problems of the page before."""
        self.problems.clear()
        self.requests.clear()
        address = pathlib.Path(path).resolve().as_uri()
        self.call("Page.navigate", url=address)
        if not self.wait(f"location.href === {json.dumps(address)} "
                         "&& document.readyState === 'complete'"):
            raise BrowserError(f"{path} was not loaded in time")

    def key(self, name):
        """Press and release a key."""
        code, text = KEYS[name]
        extra = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code,
                      **(extra if kind == "keyDown" else {}))

    def move(self, x, y):
        """Point at a place of the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, path):
        """A PNG of the whole page."""
        import base64
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))
