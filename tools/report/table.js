/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Tables whose columns sort, by mouse and keyboard.

// What a cell is sorted by: a number, a text, or null.
function sortKey(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.v !== undefined) {
    return cell.dataset.v === "" ? null : Number(cell.dataset.v);
  }
  return cell.textContent;
}

// Less, equal, greater; what is not known comes last in both directions.
function compare(a, b, down) {
  if (a === null || b === null) {
    return (a === null) - (b === null);
  }
  const mixed = typeof a === "number" && typeof b === "number"
    ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return down ? -mixed : mixed;
}

// Sorts by a column: up, then down, then up.
function sortBy(table, head, column) {
  const down = head.getAttribute("aria-sort") === "ascending";
  const rows = Array.from(table.tBodies[0].rows);
  rows.sort((a, b) => compare(sortKey(a, column), sortKey(b, column), down));
  table.tBodies[0].append(...rows);
  table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.querySelectorAll(".arrow").forEach((arrow) => arrow.remove());
  const arrow = document.createElement("span");
  arrow.className = "arrow";
  arrow.setAttribute("aria-hidden", "true");
  arrow.textContent = down ? " \u25bc" : " \u25b2";
  const button = head.querySelector("button");
  button.appendChild(arrow);
  document.getElementById("said").textContent =
    `Sorted by ${button.dataset.name}, ${down ? "descending" : "ascending"}`;
}

// Each heading of a column becomes a button.
function makeSortable(table) {
  const heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
  Array.from(heads).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.dataset.name = head.textContent;
    button.addEventListener("click", () => sortBy(table, head, column));
    head.replaceChildren(button);
  });
}

drawAll();
document.querySelectorAll("table.sortable").forEach(makeSortable);
document.documentElement.dataset.ready = "yes";
