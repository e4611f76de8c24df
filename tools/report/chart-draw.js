/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Draws a chart as SVG into an element. Colors come with dashes and marks, or with patterns.

const SVG = "http://www.w3.org/2000/svg";
const COLORS = 7;
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 4"];
const MARKS = ["circle", "square", "triangle", "diamond", "cross"];

// A new element of the SVG, with text if there is one.
function node(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) {
    made.setAttribute(key, typeof value === "number" ? Number(value.toFixed(2)) : value);
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  parent.appendChild(made);
  return made;
}

// A mark of a line.
function mark(parent, kind, x, y, size) {
  const shapes = {
    circle: `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
    square: `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`,
    triangle: `M${x} ${y - 1.2 * size}l${1.2 * size} ${2.2 * size}h${-2.4 * size}z`,
    diamond: `M${x} ${y - 1.4 * size}l${1.4 * size} ${1.4 * size}l${-1.4 * size} ${1.4 * size}l${-1.4 * size} ${-1.4 * size}z`,
    cross: `M${x - size} ${y - 1}h${size - 1}v${1 - size}h2v${size - 1}h${size - 1}v2h${1 - size}v${size - 1}h-2v${1 - size}h${1 - size}z`,
  };
  node(parent, "path", { d: shapes[kind], class: "mark" });
}

// Color, dashes, mark and pattern of series number i.
function style(i) {
  return {
    color: "s" + (i % COLORS),
    dash: DASHES[i % DASHES.length],
    mark: MARKS[i % MARKS.length],
    pattern: i % 4,
  };
}

// What fills a bar. The pattern is within the group of the bars, whose color it has; its name must be
// unique on the page.
function fill(group, name, number) {
  if (number === 0) {
    return "currentColor";
  }
  const pattern = node(node(group, "defs"), "pattern", {
    id: name, width: 6, height: 6, patternUnits: "userSpaceOnUse",
    patternTransform: number === 1 ? "rotate(45)" : number === 2 ? "rotate(-45)" : "rotate(0)",
  });
  if (number === 3) {
    node(pattern, "circle", { cx: 3, cy: 3, r: 1.5, fill: "currentColor" });
  } else {
    node(pattern, "rect", { width: 3, height: 6, fill: "currentColor" });
  }
  return `url(#${name})`;
}

// The little picture in the button of a series.
function swatch(button, kind, i, id) {
  const look = style(i);
  const svg = node(button, "svg", { width: 30, height: 12, class: look.color, "aria-hidden": "true" });
  if (kind === "bars") {
    node(svg, "rect", { x: 1, y: 1, width: 28, height: 10, class: "bar", fill: fill(svg, `${id}-key-${i}`, look.pattern) });
  } else {
    node(svg, "path", { d: "M0 6H30", class: "curve", "stroke-dasharray": look.dash });
    mark(svg, look.mark, 15, 6, 3.5);
  }
}

// Vertical lines and numbers of the axis below, and what it is.
function bottomAxis(svg, box, axis, label) {
  let free = -Infinity;
  for (const tick of axis.ticks) {
    const x = box.left + axis.at(tick) * box.width;
    node(svg, "path", { d: `M${x} ${box.top}V${box.top + box.height}`, class: "grid" });
    const text = say(tick, 4);
    const half = widthOf(text) / 2;
    if (x - half > free) {
      const anchor = x + half > box.all ? "end" : "middle";
      node(svg, "text", { x: anchor === "end" ? box.all : x, y: box.top + box.height + 16, "text-anchor": anchor }, text);
      free = x + half + 6;
    }
  }
  const words = node(svg, "text", { x: box.left + box.width / 2, y: box.top + box.height + 34, "text-anchor": "middle", class: "soft" }, fit(label, box.all));
  const reach = widthOf(words.textContent) / 2; // long words: within the picture
  words.setAttribute("x", Math.min(Math.max(box.left + box.width / 2, reach), Math.max(reach, box.all - reach)));
}

// Lines or steps. Returns the points of each shown series, to be pointed at.
function drawLines(svg, chart, state, width) {
  const shown = chart.series.filter((s, i) => state.on[i]);
  const yAxis = axisOf(shown.flatMap((s) => s.y), 5, state.log && chart.log === "y");
  const xs = shown.flatMap((s) => s.x.concat(s.end));
  const xAxis = axisOf(xs, width < 480 ? 4 : 7, state.log && chart.log === "x");
  if (!(state.log && chart.log === "x")) { // no empty third behind the last value
    const last = Math.max(...xs.filter((x) => x !== null), 0) || 1;
    xAxis.ticks = xAxis.ticks.filter((t) => t <= last * 1.001);
    xAxis.at = (v) => (v - xAxis.low) / (last - xAxis.low || 1);
  }
  const left = 12 + Math.max(...yAxis.ticks.map((t) => widthOf(say(t, 4))));
  const box = { left, top: 26, width: width - left - 14, height: width < 480 ? 200 : 240, all: width };
  svg.setAttribute("height", box.top + box.height + 42);
  node(svg, "text", { x: 0, y: 13, class: "soft" }, fit(chart.ylabel, width));
  for (const tick of yAxis.ticks) {
    const y = box.top + (1 - yAxis.at(tick)) * box.height;
    node(svg, "path", { d: `M${left} ${y}H${left + box.width}`, class: "grid" });
    node(svg, "text", { x: left - 6, y: y + 4, "text-anchor": "end" }, say(tick, 4));
  }
  bottomAxis(svg, box, xAxis, chart.xlabel);
  node(svg, "path", { d: `M${left} ${box.top}V${box.top + box.height}H${left + box.width}`, class: "axis", fill: "none" });
  return chart.series.map((series, i) => state.on[i] ? drawLine(svg, chart, series, i, box, xAxis, yAxis) : []);
}

// One line with some marks.
function drawLine(svg, chart, series, i, box, xAxis, yAxis) {
  const look = style(i);
  const group = node(svg, "g", { class: look.color });
  const points = series.x.map((value, n) => ({
    x: box.left + xAxis.at(value) * box.width,
    y: box.top + (1 - yAxis.at(series.y[n])) * box.height,
    text: `${series.name}: ${say(series.y[n])}, ${chart.ylabel}; ${say(value)}, ${chart.xlabel}`,
  }));
  let path = "";
  points.forEach((p, n) => {
    path += n === 0 ? `M${p.x.toFixed(1)} ${p.y.toFixed(1)}` : `H${p.x.toFixed(1)}V${p.y.toFixed(1)}`;
  });
  if (points.length && series.end !== null) {
    path += `H${(box.left + xAxis.at(series.end) * box.width).toFixed(1)}`;
  }
  node(group, "path", { d: path, class: "curve", "stroke-dasharray": look.dash });
  const every = Math.max(1, Math.floor(points.length / 6));
  for (let n = Math.min(points.length - 1, (i * 2) % every); n >= 0 && n < points.length; n += every) {
    mark(group, look.mark, points[n].x, points[n].y, 3.5);
  }
  return points;
}

// Bars to the right, a group a category. Returns points as drawLines does.
function drawBars(svg, chart, state, width) {
  const shown = chart.series.map((s, i) => i).filter((i) => state.on[i]);
  const values = shown.flatMap((i) => chart.series[i].values.map((v, n) =>
    v === null ? null : v + ((chart.series[i].errors || [])[n] || 0)));
  const narrow = width < 480;
  const longest = Math.max(...chart.categories.map(widthOf));
  const left = narrow ? 4 : Math.min(longest + 10, 0.35 * width);
  const bar = chart.categories.length > 20 ? 10 : 16;
  const head = narrow ? 18 : 0;
  const row = head + Math.max(1, shown.length) * bar + 10;
  const top = 6;
  const box = { left, top, width: width - left - 78, height: row * chart.categories.length, all: width };
  const axis = axisOf(values, narrow ? 3 : 5, state.log);
  svg.setAttribute("height", box.top + box.height + 42);
  bottomAxis(svg, box, axis, chart.xlabel);
  chart.categories.forEach((name, n) => {
    const y = top + n * row;
    const label = narrow ? { x: left, y: y + 13 } : { x: left - 8, y: y + row / 2 + 4, "text-anchor": "end" };
    node(node(svg, "text", label, fit(name, narrow ? width : left - 8)), "title", {}, name);
  });
  const points = chart.series.map(() => []);
  shown.forEach((i, place) => {
    const look = style(i);
    const group = node(svg, "g", { class: look.color });
    const paint = fill(group, `${svg.id}-fill-${i}`, look.pattern);
    const errors = chart.series[i].errors;
    chart.series[i].values.forEach((value, n) => {
      const y = top + n * row + head + 4 + place * bar;
      points[i].push(drawBar(svg, group, { chart, box, axis, paint, i, n, value, y, bar, error: errors && errors[n] }));
    });
  });
  node(svg, "path", { d: `M${left} ${top}V${top + box.height}`, class: "axis" });
  return points;
}

// One bar, its whisker and its number.
function drawBar(svg, group, what) {
  const { chart, box, axis, value, y, bar } = what;
  const zero = box.left + Math.max(0, axis.at(0)) * box.width;
  const end = value === null ? zero : box.left + axis.at(value) * box.width;
  let text = `${chart.categories[what.n]}, ${chart.series[what.i].name}: ${say(value)}`;
  if (value !== null) {
    node(group, "rect", { x: Math.min(zero, end), y: y + 1, width: Math.abs(end - zero), height: bar - 3, class: "bar", fill: what.paint });
  }
  let reach = Math.max(zero, end);
  if (what.error) {
    const from = box.left + Math.max(0, axis.at(value - what.error)) * box.width;
    const to = box.left + axis.at(value + what.error) * box.width;
    const middle = y + bar / 2 - 0.5;
    node(svg, "path", { d: `M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8`, class: "whisker" });
    reach = Math.max(reach, to);
    text += ` \u00b1 ${say(what.error, 3)}`;
  }
  node(svg, "text", { x: reach + 6, y: y + bar / 2 + 3.5 }, value === null ? "\u2013" : say(value));
  return { x: end, y: y + bar / 2, text: `${text}, ${chart.xlabel}` };
}
