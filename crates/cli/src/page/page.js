// Draws the sections of the page from the data beside it. A failure is written into the page.
window.addEventListener("error", (event) => {
  document.body.append(element("p", { class: "error" }, `The page could not be drawn: ${event.message}`));
});

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8f7d00", "#7a5cff"];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function shape(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A number in few digits, for axes and readouts; tables have all digits.
function short(number) {
  const size = Math.abs(number);
  for (const [factor, prefix] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (size >= factor) return `${+(number / factor).toPrecision(4)}${prefix}`;
  }
  return `${+number.toPrecision(4)}`;
}

// A name that fits beside a chart; its end says the most.
function clipped(name, letters = 34) {
  return name.length > letters ? `…${name.slice(1 - letters)}` : name;
}

// Round values between two bounds.
function ticks(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const all = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) all.push(+at.toPrecision(12));
  return all;
}

// What is drawn again when the width of the page changes.
const fitted = [];

// What all charts of the page share: the part of the time that is shown, and where the pointer is.
const time = {
  charts: [],
  low: 0,
  high: 0,
  show(low, high) {
    [this.low, this.high] = [low, high];
    for (const chart of this.charts) chart.draw();
  },
  point(at) {
    for (const chart of this.charts) chart.point(at);
  },
};

function table(section) {
  const head = element("tr", {});
  const body = element("tbody", {});
  section.columns.forEach((column, index) => {
    const cell = element("th", { class: column.number ? "number" : "", title: "Sort by this column" }, column.name);
    let descends = false;
    cell.addEventListener("click", () => {
      descends = !descends;
      const key = (row) => row.children[index].dataset.value ?? row.children[index].textContent;
      const order = (one, two) => {
        const [a, b] = [key(one), key(two)];
        const numbers = [Number(a), Number(b)];
        const way = numbers.some(Number.isNaN) ? a.localeCompare(b) : numbers[0] - numbers[1];
        return descends ? -way : way;
      };
      body.append(...[...body.children].sort(order));
    });
    head.append(cell);
  });
  for (const row of section.rows) {
    body.append(element("tr", {}, ...row.map((cell, index) => {
      const kind = section.columns[index].number ? "number" : "";
      const attributes = { class: `${kind} ${cell.class ?? ""}`.trim() };
      if (cell.value !== undefined) attributes["data-value"] = cell.value;
      if (cell.title) attributes.title = cell.title;
      return element("td", attributes, cell.text);
    })));
  }
  const whole = element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body));
  if (!section.folded) return whole;
  return element("details", {}, element("summary", {}, `${section.rows.length} rows`), whole);
}

const RIGHT = 10;
const BOTTOM = 22;

// The frame of a chart whose x axis is the time of the page: zoom by dragging, back by a double click.
function chart(height, left, draw, readout) {
  const svg = shape("svg", { height });
  let right = 1000 - RIGHT;
  const x = (at) => left + ((at - time.low) / (time.high - time.low || 1)) * (right - left);
  const at = (event) => {
    const part = (event.clientX - svg.getBoundingClientRect().left - left) / (right - left);
    return time.low + Math.min(Math.max(part, 0), 1) * (time.high - time.low);
  };
  const cursor = shape("line", { class: "cursor", y1: 0, y2: height - BOTTOM, visibility: "hidden" });
  const picked = shape("rect", { class: "picked", y: 0, height: height - BOTTOM, visibility: "hidden" });
  let from = null;
  svg.addEventListener("pointerdown", (event) => (from = at(event)));
  svg.addEventListener("pointermove", (event) => {
    time.point(at(event));
    if (from === null) return;
    const [low, high] = [from, at(event)].sort((a, b) => a - b);
    picked.setAttribute("x", x(low));
    picked.setAttribute("width", x(high) - x(low));
    picked.setAttribute("visibility", "visible");
  });
  svg.addEventListener("pointerup", (event) => {
    const [low, high] = [from ?? 0, at(event)].sort((a, b) => a - b);
    from = null;
    picked.setAttribute("visibility", "hidden");
    if (x(high) - x(low) > 5) time.show(low, high);
  });
  svg.addEventListener("pointerleave", () => {
    from = null;
    picked.setAttribute("visibility", "hidden");
  });
  svg.addEventListener("dblclick", () => time.show(time.first, time.last));
  time.charts.push({
    draw() {
      right = (svg.clientWidth || 1000) - RIGHT;
      svg.replaceChildren();
      for (const tick of ticks(time.low, time.high, 8)) {
        svg.append(shape("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: height - BOTTOM }));
        svg.append(shape("text", { x: x(tick), y: height - 6, "text-anchor": "middle" }, `${+tick.toPrecision(6)} s`));
      }
      draw(svg, x, right);
      svg.append(picked, cursor);
    },
    point(at) {
      cursor.setAttribute("x1", x(at));
      cursor.setAttribute("x2", x(at));
      cursor.setAttribute("visibility", "visible");
      readout(at);
    },
  });
  return svg;
}

function legend(names, hidden, changed) {
  const buttons = names.map((name, index) => {
    const colour = element("i", { style: `background:${COLOURS[index % COLOURS.length]}` });
    const button = element("button", { type: "button", "aria-pressed": "true" }, colour, name);
    button.addEventListener("click", () => {
      hidden.has(index) ? hidden.delete(index) : hidden.add(index);
      button.setAttribute("aria-pressed", String(!hidden.has(index)));
      changed();
    });
    return button;
  });
  return element("div", { class: "legend" }, ...buttons);
}

// Steps, because a value is that of the whole interval before its time.
function lines(section) {
  const height = 190;
  const left = 60;
  const hidden = new Set();
  const starts = [section.start, ...section.x.slice(0, -1)];
  const readout = element("div", { class: "readout" });
  const draw = (svg, x, right) => {
    const shown = section.series.filter((_, index) => !hidden.has(index));
    const inside = section.x.map((end, index) => end >= time.low && starts[index] <= time.high);
    const all = shown.flatMap((series) => series.values.filter((value, index) => value !== null && inside[index]));
    const high = all.reduce((most, value) => Math.max(most, value), 0);
    const low = all.reduce((least, value) => Math.min(least, value), 0);
    const y = (value) => (height - BOTTOM - 4) - ((value - low) / (high - low || 1)) * (height - BOTTOM - 14);
    for (const tick of ticks(low, high, 4)) {
      svg.append(shape("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }));
      svg.append(shape("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, short(tick)));
    }
    section.series.forEach((series, index) => {
      if (hidden.has(index)) return;
      let path = "";
      let isOpen = false;
      // Many values of one pixel become one line between the least and the greatest of them.
      let column = { at: -1, low: 0, high: 0 };
      series.values.forEach((value, place) => {
        if (value === null || !inside[place]) {
          isOpen = false;
          return;
        }
        const [from, to] = [Math.max(x(starts[place]), left), Math.min(x(section.x[place]), right)];
        if (Math.floor(to) === column.at && to - from < 1) {
          column.low = Math.min(column.low, value);
          column.high = Math.max(column.high, value);
          return;
        }
        if (column.high > column.low) path += `V${y(column.low).toFixed(1)}V${y(column.high).toFixed(1)}`;
        column = { at: Math.floor(to), low: value, high: value };
        path += `${isOpen ? "V" : `M${from.toFixed(1)} `}${y(value).toFixed(1)}H${to.toFixed(1)}`;
        isOpen = true;
      });
      const colour = COLOURS[index % COLOURS.length];
      svg.append(shape("path", { d: path, fill: "none", stroke: colour, "stroke-width": 1.5 }));
    });
  };
  const point = (at) => {
    const place = section.x.findIndex((end) => end >= at);
    if (place < 0) return;
    const named = section.series.map((series, index) => [series, index]).filter(([, index]) => !hidden.has(index));
    const texts = named.slice(0, 12).map(([series]) => {
      const value = series.values[place];
      return `${series.name} ${value === null ? "not counted" : short(value)}`;
    });
    readout.textContent = `${starts[place].toFixed(3)} to ${section.x[place].toFixed(3)} s: ${texts.join(", ")}`;
  };
  const svg = chart(height, left, draw, point);
  const parts = [svg, readout];
  if (section.series.length > 1) {
    parts.push(legend(section.series.map((series) => series.name), hidden, () => time.show(time.low, time.high)));
  }
  return parts;
}

function bars(section) {
  const height = 20 * section.rows.length + 8;
  const letters = section.rows.reduce((most, row) => Math.max(most, Math.min(row.name.length, 62)), 34);
  const left = 16 + 6 * letters;
  const most = section.rows.reduce((most, row) => Math.max(most, (row.value ?? 0) + (row.error ?? 0)), 0) || 1;
  const svg = shape("svg", { height });
  fitted.push(() => {
    // The numbers stand behind the bars.
    const room = Math.max(Math.min((svg.clientWidth || 1000) - left - 140, 550), 20);
    const scale = (value) => (value / most) * room;
    svg.replaceChildren();
    section.rows.forEach((row, index) => {
      const y = 4 + 20 * index;
      svg.append(shape("text", { x: left - 8, y: y + 13, "text-anchor": "end" }, clipped(row.name, letters), shape("title", {}, row.name)));
      if (row.value === null) {
        svg.append(shape("text", { x: left, y: y + 13 }, row.text));
        return;
      }
      const width = scale(row.value);
      svg.append(shape("rect", { x: left, y: y + 2, width: Math.max(width, 1), height: 14, fill: row.marked ? COLOURS[1] : COLOURS[0] }));
      const end = width + scale(row.error ?? 0);
      if (row.error) {
        const from = left + Math.max(width - scale(row.error), 0);
        svg.append(shape("path", { class: "error", d: `M${from} ${y + 9}H${left + end}M${left + end} ${y + 5}v8` }));
      }
      svg.append(shape("text", { x: left + Math.max(end, 1) + 6, y: y + 13 }, row.text));
    });
  });
  return svg;
}

// A lane for each thread, with a bar for each visit of a region.
function timeline(section) {
  const lane = 26;
  const left = 210;
  const height = lane * section.lanes.length + BOTTOM + 4;
  const hidden = new Set();
  const readout = element("div", { class: "readout" });
  const draw = (svg, x, right) => {
    section.lanes.forEach((row, index) => {
      svg.append(shape("text", { x: left - 8, y: lane * index + 17, "text-anchor": "end" }, clipped(row.name)));
      for (const [start, end, region, depth] of row.spans) {
        if (hidden.has(region) || end < time.low || start > time.high) continue;
        const [from, to] = [Math.max(x(start), left), Math.min(x(end), right)];
        const colour = COLOURS[region % COLOURS.length];
        const inset = Math.min(depth * 4, 12);
        svg.append(shape("rect", { x: from, y: lane * index + 3 + inset, width: Math.max(to - from, .5), height: lane - 6 - inset, fill: colour }));
      }
    });
  };
  const point = (at) => {
    const texts = section.lanes.map((row) => {
      const open = row.spans.filter(([start, end]) => start <= at && at <= end);
      return open.length ? `${row.name}: ${open.map(([, , region]) => section.regions[region]).join(" › ")}` : null;
    });
    readout.textContent = `${at.toFixed(6)} s  ${texts.filter(Boolean).slice(0, 8).join(", ")}`;
  };
  const redraw = () => time.show(time.low, time.high);
  return [chart(height, left, draw, point), readout, legend(section.regions, hidden, redraw)];
}

const DRAWN = { table, lines, bars, curves, timeline, activity, profile, difference };

function page() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const timed = data.sections.filter((section) => section.end > section.start);
  time.first = Math.min(...timed.map((section) => section.start));
  time.last = Math.max(...timed.map((section) => section.end));
  const main = document.querySelector("main");
  const facts = (data.facts ?? []).flatMap(({ name, text, date }) =>
    [element("dt", {}, name), element("dd", {}, text ?? new Date(date).toLocaleString())]);
  main.append(element("h1", {}, data.title));
  if (facts.length) main.append(element("dl", { class: "facts" }, ...facts));
  main.append(...data.notes.map((note) => element("p", {}, note)));
  if (timed.some((section) => section.kind !== "profile")) main.append(element("p", {}, "Drag over a chart to see a part of the time, and double-click to see all of it."));
  for (const section of data.sections) {
    const unit = section.unit ? ` [${section.unit}]` : "";
    main.append(element("h2", {}, section.title + unit));
    main.append(...[DRAWN[section.kind](section)].flat());
    if (section.note) main.append(element("p", {}, section.note));
  }
  if (timed.length) {
    [time.low, time.high] = [time.first, time.last];
    fitted.push(() => time.show(time.low, time.high));
  }
  const fit = () => fitted.forEach((draw) => draw());
  window.addEventListener("resize", fit);
  fit();
}

page();
