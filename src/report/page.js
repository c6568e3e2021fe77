(function () {
  "use strict";
  // A heading sorts its table: numbers by their value, words as people count; what is unknown stays at the end.
  function sort(heading) {
    const table = heading.closest("table"), body = table.tBodies[0];
    const column = [...heading.parentNode.children].indexOf(heading);
    const down = heading.getAttribute("aria-sort") === "ascending";
    const words = new Intl.Collator(undefined, { numeric: true });
    const value = (row) => {
      const cell = row.cells[column];
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const rows = [...body.rows].map((row) => [value(row), row]);
    rows.sort(([a], [b]) => {
      if (a === "" || b === "") return (a === "") - (b === "");
      const order = typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b));
      return down ? -order : order;
    });
    body.append(...rows.map(([, row]) => row));
    for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("table.sort th button");
    if (button) sort(button.parentNode);
  });
  // A link to SQL opens it.
  function open() {
    const place = location.hash && document.getElementById(location.hash.slice(1));
    if (!place) return;
    for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    place.scrollIntoView();
  }
  addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) open();
  });
  open();
  // Paper is narrower than most windows, and figures are as wide as what they were drawn for.
  const figures = () => document.querySelectorAll(".js-plotly-plot");
  addEventListener("beforeprint", () => figures().forEach((plot) => Plotly.relayout(plot, { width: 680, autosize: false })));
  addEventListener("afterprint", () => figures().forEach((plot) => Plotly.relayout(plot, { width: null, autosize: true })));
})();
