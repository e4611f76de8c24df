/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Numbers to places: ticks and scales, linear and logarithmic.

// A number as text, at most so many significant digits.
function say(value, digits) {
  if (value === null || value === undefined) {
    return "not known";
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) {
    return value.toExponential(2);
  }
  return value.toLocaleString("en", { maximumSignificantDigits: digits || 5 });
}

// Ends and ticks of a linear axis that has 0 and all values.
function linearAxis(values, count) {
  let low = Math.min(0, ...values);
  let high = Math.max(0, ...values);
  if (low === high) {
    high = 1;
  }
  const raw = (high - low) / count;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw * 0.999);
  low = Math.floor(low / step) * step;
  const ticks = [];
  for (let i = 0; i <= 4 * count; i++) {
    ticks.push(Number((low + i * step).toPrecision(12)));
    if (low + i * step >= high - step * 1e-9) {
      break;
    }
  }
  high = ticks[ticks.length - 1];
  return { low, high, ticks, at: (v) => (v - low) / (high - low) };
}

// The same, logarithmic: from below the least positive value; 0 is drawn at its begin.
function logAxis(values, count) {
  const positive = values.filter((v) => v > 0);
  if (!positive.length) {
    return linearAxis(values, count);
  }
  const least = Math.min(...positive);
  const most = Math.max(...positive);
  const steps = [];
  for (let power = Math.floor(Math.log10(least)) - 1; power <= Math.log10(most) + 1; power++) {
    [1, 2, 5].forEach((m) => steps.push(Number((m * Math.pow(10, power)).toPrecision(12))));
  }
  // from the last step below the least value, so that its bar can be seen, to the first not below all
  const low = steps.filter((v) => v > 0 && v < least * 0.98).pop() || least;
  const high = steps.find((v) => v > low && v >= most * 0.999) || 2 * low;
  let ticks = steps.filter((v) => v >= low && v <= high);
  if (ticks.length > count + 1) {
    const decades = ticks.filter((v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6);
    const every = Math.ceil(decades.length / count);
    ticks = decades.filter((v, i) => i % every === 0);
  }
  const at = (v) => (v > 0 ? Math.max(0, Math.log(v / low) / Math.log(high / low)) : 0);
  return { low, high, ticks, at };
}

// An axis over what is not null. Numbers at the end of what a double holds have no decades: they are 0.
function axisOf(values, count, log) {
  const known = values.filter((v) => v !== null && v !== undefined)
    .map((v) => (Math.abs(v) < 1e-290 ? 0 : v));
  return log ? logAxis(known, count) : linearAxis(known, count);
}

// Measures texts of pictures: 12 pixels, the font of the page.
const PEN = document.createElement("canvas").getContext("2d");
PEN.font = "12px " + getComputedStyle(document.body).fontFamily;

// The width of a text.
function widthOf(text) {
  return PEN.measureText(String(text)).width;
}

// A text that fits, with "..." if it was too long.
function fit(text, width) {
  const letters = Array.from(text);
  if (widthOf(text) <= width) {
    return text;
  }
  let most = Math.min(letters.length, Math.floor(width / 2));
  while (most > 1 && widthOf(letters.slice(0, most).join("")) > width - 12) {
    most -= 1;
  }
  return letters.slice(0, most).join("") + "\u2026";
}
