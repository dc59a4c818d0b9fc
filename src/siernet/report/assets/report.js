"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byId(id).textContent);

  // ---- colours: figures name them, the style sheet says what they are -------------------------

  const COLOUR_KEYS = new Set(["color", "fillcolor", "bgcolor", "colorscale"]);
  const colourOf = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || name;
  const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark";

  function scaleOf(name) {
    const dark = isDark();
    const steps = {
      sequential: dark
        ? ["#ffe9a8", "#f2a65a", "#a8577e", "#5b4a86", "#2c3a56"]
        : ["#143d7a", "#2f7fb8", "#7fc0b8", "#d3e3b5", "#f4efd6"],
      diverging: dark
        ? ["#ff9f68", "#8a4b2d", "#1a2029", "#2f5f9e", "#7db3ff"]
        : ["#b9480f", "#f0b893", "#f5f7fa", "#96bbe6", "#1b5fb8"],
      share: dark ? ["#1a2029", "#2c5a9c", "#4b86d6"] : ["#f5f7fa", "#b5cfee", "#6ea3df"],
    };
    const colours = name === "sequential-reversed" ? [...steps.sequential].reverse() : steps[name];
    return colours.map((colour, place) => [place / (colours.length - 1), colour]);
  }

  function resolved(value, key) {
    if (key === "colorscale") return scaleOf(value);
    if (COLOUR_KEYS.has(key)) {
      if (typeof value === "string") return colourOf(value);
      if (Array.isArray(value)) {
        return value.map((item) => (typeof item === "string" ? colourOf(item) : item));
      }
    }
    if (Array.isArray(value)) {
      return value.map((item) => (item && typeof item === "object" ? resolved(item, null) : item));
    }
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, item]) => [k, resolved(item, k)]));
    }
    return value;
  }

  // ---- figures --------------------------------------------------------------------------------

  const figures = read("figure-data");
  const plots = [...document.querySelectorAll("[data-figure]")];
  const touch = matchMedia("(pointer: coarse)").matches;
  const font = getComputedStyle(document.body).fontFamily;

  function layoutOf(figure, size) {
    const layout = resolved(figure.layout, null);
    const ink = colourOf("ink");
    for (const [key, axis] of Object.entries(layout)) {
      if (!/^[xy]axis/.test(key)) continue;
      layout[key] = {
        automargin: true, gridcolor: colourOf("grid"), linecolor: colourOf("rule"),
        zeroline: false, tickcolor: colourOf("rule"), fixedrange: touch, ...axis,
      };
    }
    for (const note of layout.annotations || []) {
      note.font = { size: 13, color: ink };
    }
    return {
      font: { family: font, size: 13, color: ink },
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      modebar: { bgcolor: "rgba(0,0,0,0)", color: colourOf("muted"), activecolor: ink },
      showlegend: false, hovermode: "closest", dragmode: touch ? false : "zoom",
      hoverlabel: {
        bgcolor: colourOf("panel"), bordercolor: colourOf("rule"), align: "left",
        font: { family: font, size: 13, color: ink },
      },
      ...layout, ...size,
      margin: { l: 56, r: 16, t: 44, b: 48, pad: 4, ...layout.margin },
    };
  }

  function draw(element, size) {
    const key = element.dataset.figure;
    const figure = figures[key];
    Plotly.react(element, resolved(figure.data, null), layoutOf(figure, size), {
      displaylogo: false, responsive: !size.width,
      modeBarButtons: [["toImage"], ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
      toImageButtonOptions: { format: "svg", filename: key },
    });
  }

  const height = (element) => parseFloat(element.style.height);
  const drawAll = () => plots.forEach((element) => draw(element, { height: height(element) }));

  // ---- light and dark -------------------------------------------------------------------------

  const root = document.documentElement;
  const toggle = byId("theme");
  const nameToggle = () => { toggle.textContent = isDark() ? "Light" : "Dark"; };
  toggle.hidden = false;
  toggle.setAttribute("aria-label", "Switch between light and dark");
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameToggle();
    drawAll();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    nameToggle();
    drawAll();
  });
  nameToggle();

  // ---- print: light, and as wide as the paper ---------------------------------------------------

  let theme;
  addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    plots.forEach((element) => draw(element, { height: height(element), width: 680 }));
  });
  addEventListener("afterprint", () => {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    drawAll();
  });

  // ---- the table ------------------------------------------------------------------------------

  const data = read("table-data");
  const total = data.names.length;
  const lowered = data.names.map((name) => name.toLocaleLowerCase());
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const state = { query: "", least: "0", key: "rank", descending: false, page: 0, size: data.pageSize };
  let shown = [];

  const value = {
    rank: (row) => row,
    count: (row) => data.counts[row] ?? 0,
    rate: (row) => (data.counts[row] ?? 0) / data.members,
    share: (row) => data.share[row] ?? 0,
    change: (row) => data.change[row] ?? 0,
  };
  const grouped = (number) => number.toLocaleString("en-US");
  const percent = (share) => {
    const digits = share * 100 >= 10 || Number.isInteger(Math.round(share * 1000) / 10) ? 0 : 1;
    return `${(share * 100).toFixed(digits)}%`;
  };
  const effect = (number) => {
    if (number === 0) return "0";
    const size = Math.abs(number);
    const text = size < 1e-4 || size >= 1e7
      ? size.toExponential(2)
      : size.toLocaleString("en-US", { maximumSignificantDigits: 3 });
    return (number < 0 ? "−" : "+") + text;
  };

  function select() {
    const query = state.query.toLocaleLowerCase();
    const least = state.least === "any" ? 1 / (2 * data.members) : Number(state.least);
    shown = [];
    for (let row = 0; row < total; row += 1) {
      if (value.rate(row) >= least && lowered[row].includes(query)) shown.push(row);
    }
    const sign = state.descending ? -1 : 1;
    if (state.key === "name") {
      shown.sort((a, b) => sign * collator.compare(data.names[a], data.names[b]) || a - b);
    } else {
      const of = value[state.key];
      shown.sort((a, b) => sign * (of(a) - of(b)) || a - b);
    }
  }

  function cell(tag, text) {
    const element = document.createElement(tag);
    if (tag === "th") {
      element.scope = "row";
      element.append(Object.assign(document.createElement("bdi"), { textContent: text }));
    } else {
      element.textContent = text;
    }
    return element;
  }

  function line(row) {
    const count = value.count(row);
    const element = document.createElement("tr");
    element.append(
      cell("td", grouped(row + 1)),
      cell("th", data.names[row]),
      cell("td", `${count} of ${data.members}`),
      cell("td", percent(count / data.members)),
      cell("td", `${percent(data.low[count])} to ${percent(data.high[count])}`),
      cell("td", percent(value.share(row))),
    );
    if (data.change) element.append(cell("td", effect(value.change(row))));
    return element;
  }

  const body = document.querySelector("#table tbody");
  const headings = [...document.querySelectorAll("#table th[data-key]")];
  const pageInput = byId("page");

  function show() {
    const pages = Math.max(1, Math.ceil(shown.length / state.size));
    state.page = Math.min(Math.max(0, state.page), pages - 1);
    const start = state.page * state.size;
    const rows = shown.slice(start, start + state.size);
    body.replaceChildren(...rows.map(line));
    const of = shown.length === total ? "" : `, of ${grouped(total)} in all`;
    byId("status").textContent = shown.length
      ? `Variables ${grouped(start + 1)} to ${grouped(start + rows.length)} of ${grouped(shown.length)}${of}.`
      : `No variable matches. There are ${grouped(total)} in all.`;
    byId("download").textContent = `Download ${grouped(shown.length)} as CSV`;
    byId("of").textContent = `of ${grouped(pages)}`;
    pageInput.value = state.page + 1;
    pageInput.max = pages;
    const place = { first: 0, previous: 0, next: pages - 1, last: pages - 1 };
    for (const button of document.querySelectorAll("[data-go]")) {
      // Not `disabled`: a button that loses the focus while it is used strands keyboard users.
      button.setAttribute("aria-disabled", String(state.page === place[button.dataset.go]));
    }
    for (const heading of headings) {
      if (heading.dataset.key !== state.key) heading.removeAttribute("aria-sort");
      else heading.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    }
  }

  function refresh() {
    state.page = 0;
    select();
    show();
  }

  // ---- CSV ------------------------------------------------------------------------------------

  function quoted(text) {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text; // a spreadsheet would run it
    return `"${safe.replaceAll('"', '""')}"`;
  }

  function csv() {
    const head = ["rank", "variable", "column", "networks", "of", "rate", "low", "high", "weight"];
    const lines = [head.concat(data.change ? ["effect"] : []).join(",")];
    for (const row of shown) {
      const count = value.count(row);
      const fields = [
        row + 1, quoted(data.names[row]), data.columns[row] + 1, count, data.members,
        count / data.members, data.low[count], data.high[count], value.share(row),
      ];
      if (data.change) fields.push(value.change(row));
      lines.push(fields.join(","));
    }
    return `\uFEFF${lines.join("\r\n")}\r\n`; // the mark lets Excel see that it is UTF-8
  }

  byId("download").addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([csv()], { type: "text/csv;charset=utf-8" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: "variables.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  });

  // ---- controls ---------------------------------------------------------------------------------

  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("search").addEventListener("input", (event) => { state.query = event.target.value; refresh(); });
  byId("least").addEventListener("change", (event) => { state.least = event.target.value; refresh(); });
  byId("size").addEventListener("change", (event) => { state.size = Number(event.target.value); refresh(); });
  pageInput.addEventListener("change", () => { state.page = (parseInt(pageInput.value, 10) || 1) - 1; show(); });
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => {
      const to = { first: 0, previous: state.page - 1, next: state.page + 1, last: Infinity };
      state.page = to[button.dataset.go];
      show();
    });
  }
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const { key } = heading.dataset;
      state.descending = key === state.key ? !state.descending : !["rank", "name"].includes(key);
      state.key = key;
      refresh();
    });
  }
  byId("controls").hidden = false;
  byId("pages").hidden = false;
  refresh();

  // Figures last, one at a time, so that the page answers while they are drawn.
  function drawNext(place) {
    if (place === plots.length) {
      root.dataset.ready = "true";
      return;
    }
    draw(plots[place], { height: height(plots[place]) });
    setTimeout(drawNext, 0, place + 1);
  }
  drawNext(0);
})();
