/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A chart on the page: buttons of its series and its scale, values by pointer and by keyboard.

// A button that is on or off.
function toggle(parent, kind, text, on, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = kind;
  button.setAttribute("aria-pressed", String(on));
  button.addEventListener("click", () => {
    const pressed = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(pressed));
    action(pressed);
  });
  const words = document.createElement("span");
  words.textContent = text;
  button.appendChild(words);
  parent.appendChild(button);
  return button;
}

// The chart in a figure of the page.
class Chart {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.plot = figure.querySelector(".plot");
    this.readout = figure.querySelector(".readout");
    this.state = { on: data.series.map((s) => s.on !== false), log: false };
    this.points = [];
    this.at = null; // [series, point]: what is shown
    this.width = 0;
    this.makeTools(figure.querySelector(".tools"));
    this.makePlot();
  }

  makeTools(tools) {
    const { series, kind } = this.data;
    if (series.length > 1 || kind === "lines") {
      tools.setAttribute("role", "group");
      tools.setAttribute("aria-label", "Series and scale");
      series.forEach((entry, i) => {
        const button = toggle(tools, "series", entry.name, this.state.on[i], (on) => {
          this.state.on[i] = on;
          this.draw();
        });
        swatch(button, kind, i, this.figure.id);
        button.insertBefore(button.lastChild, button.firstChild);
      });
    }
    toggle(tools, "scale", `Log ${kind === "lines" ? this.data.log : "scale"}${kind === "lines" ? " axis" : ""}`, false, (on) => {
      this.state.log = on;
      this.draw();
    });
  }

  makePlot() {
    this.svg = node(this.plot, "svg", {
      id: this.figure.id + "-svg", tabindex: 0, role: "application",
      "aria-roledescription": "chart",
      "aria-labelledby": this.figure.id + "-title",
      "aria-describedby": this.figure.id + "-text",
    });
    this.tip = document.createElement("div");
    this.tip.className = "tip";
    this.tip.setAttribute("aria-hidden", "true"); // the readout says the same
    this.plot.appendChild(this.tip);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerdown", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.hide());
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focus", () => {
      if (!this.at && this.svg.matches(":focus-visible")) {
        this.go(this.first(), 0);
      }
    });
    this.svg.addEventListener("blur", () => this.hide());
  }

  draw() {
    this.width = Math.max(240, Math.floor(this.plot.clientWidth));
    const at = this.at;
    this.hide();
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${this.width} 10`);
    const drawing = this.data.kind === "bars" ? drawBars : drawLines;
    this.points = drawing(this.svg, this.data, this.state, this.width);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.svg.getAttribute("height")}`);
    if (!this.state.on.some(Boolean)) {
      node(this.svg, "text", { x: 40, y: 60 }, "No series is shown: press a button above.");
    }
    if (at && this.points[at[0]].length > at[1]) {
      this.show(at);
    }
  }

  first() {
    return Math.max(0, this.points.findIndex((p) => p.length));
  }

  // The nearest point: of lines by x before y, of bars by y.
  point(event) {
    const frame = this.svg.getBoundingClientRect();
    const x = event.clientX - frame.left;
    const y = event.clientY - frame.top;
    const bars = this.data.kind === "bars";
    let best = null;
    let least = Infinity;
    this.points.forEach((points, s) => points.forEach((p, n) => {
      const far = bars ? Math.abs(p.y - y) : 4 * Math.abs(p.x - x) + Math.abs(p.y - y);
      if (far < least) {
        least = far;
        best = [s, n];
      }
    }));
    if (best && least < (bars ? 20 : 400)) {
      this.show(best);
    } else {
      this.hide();
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === "Escape") {
      this.hide();
      return;
    }
    const bars = this.data.kind === "bars";
    const along = bars ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    const across = bars ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const [s, n] = this.at || [this.first(), -1];
    if (along.includes(event.key)) {
      this.go(s, n + (event.key === along[0] ? -1 : 1));
    } else if (across.includes(event.key)) {
      const step = event.key === across[0] ? -1 : 1;
      let next = s;
      do {
        next = (next + step + this.points.length) % this.points.length;
      } while (next !== s && !this.points[next].length);
      this.go(next, Math.max(0, n));
    } else if (event.key === "Home") {
      this.go(s, 0);
    } else if (event.key === "End") {
      this.go(s, Infinity);
    } else {
      return;
    }
    event.preventDefault();
  }

  go(s, n) {
    const points = this.points[s] || [];
    if (points.length) {
      this.show([s, Math.max(0, Math.min(points.length - 1, n))]);
    }
  }

  show(at) {
    this.at = at;
    const p = this.points[at[0]][at[1]];
    if (!this.ring || !this.ring.isConnected) {
      this.ring = node(this.svg, "circle", { r: 7, class: "ring" });
    }
    this.ring.setAttribute("cx", p.x.toFixed(1));
    this.ring.setAttribute("cy", p.y.toFixed(1));
    this.tip.textContent = p.text;
    if (this.readout.textContent !== p.text) {
      this.readout.textContent = p.text;
    }
    this.tip.classList.add("shown");
    const wide = this.tip.offsetWidth;
    const high = this.tip.offsetHeight;
    this.tip.style.left = Math.max(0, Math.min(this.width - wide, p.x - wide / 2)) + "px";
    this.tip.style.top = (p.y > high + 14 ? p.y - high - 12 : p.y + 14) + "px";
  }

  hide() {
    this.at = null;
    this.tip.classList.remove("shown");
    this.readout.textContent = "";
    if (this.ring) {
      this.ring.remove();
    }
  }
}

// All charts of the page; drawn again when the page gets another width.
function drawAll() {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const charts = data.map((entry, i) => new Chart(document.getElementById("chart-" + i), entry));
  charts.forEach((chart) => chart.draw());
  let waiting = false;
  window.addEventListener("resize", () => {
    if (!waiting) {
      waiting = true;
      window.requestAnimationFrame(() => {
        waiting = false;
        charts.filter((c) => Math.floor(c.plot.clientWidth) !== c.width).forEach((c) => c.draw());
      });
    }
  });
}
