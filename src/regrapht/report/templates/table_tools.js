// Sorting by a click on a column's name, and a filter over the rows of long tables. Without scripts the tables are whole and in their order.
"use strict";

const number = /^-?\d+(\.\d+)?(e[+-]\d+)?(?=$| )/;

function sortBy(table, column, head) {
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const text = (row) => row.cells[column].textContent.trim();
  const known = rows.map(text).filter((value) => value !== "-");
  const numeric = known.length > 0 && known.every((value) => number.test(value));
  const compare = (a, b) => (numeric ? parseFloat(a) - parseFloat(b) : a.localeCompare(b));
  rows.sort((one, other) => {
    const [a, b] = [text(one), text(other)];
    if (a === "-" || b === "-") return (a === "-") - (b === "-"); // what is not defined stays last
    return ascending ? compare(a, b) : compare(b, a);
  });
  for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  body.append(...rows);
}

for (const table of document.querySelectorAll("table.data")) {
  if (table.tBodies[0].rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => sortBy(table, column, head));
  });
}

for (const field of document.querySelectorAll("input.filter")) {
  const table = document.getElementById(field.dataset.table);
  const line = field.closest("p");
  line.hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += !row.hidden;
    }
    line.querySelector("output").textContent = words.length ? `${left} rows` : "";
  });
}
