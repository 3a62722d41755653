"use strict";
// A profile one can work in: the samples of the chosen time and threads as a flame graph, tables and source.

function profile(section) {
  const samples = new Samples(section);
  const count = (number) => number.toLocaleString("en", { maximumFractionDigits: 0 });
  const percent = (number) => `${number.toFixed(2)} %`;
  const label = ({ name, inlined }) => (inlined ? `${name} (inlined)` : name);
  const fullName = ({ name, full, module, inlined }) => {
    const file = section.modules[module];
    return (full ?? name) + (inlined ? " (inlined)" : "") + (file === "" ? "" : `  ${file}`);
  };
  const parts = [];
  const hasTimes = section.end > section.interval && section.interval > 0;

  // What is chosen.
  let threads = null;
  const hottest = section.sources.length ? section.sources[0].function : null;
  let chosenFunction = hottest;
  const search = element("input", { type: "search", placeholder: "Search functions  ( / )", "aria-label": "Search functions" });
  const found = element("span", { class: "found", role: "status" });
  const view = element("select", { "aria-label": "Order of the flame graph" });
  VIEWS.forEach(([name, title], index) => {
    const isShown = [true, true, section.threads.length > 1, true, section.threads.some((thread) => thread.roots)][index];
    if (isShown) view.append(element("option", { value: index, title }, name));
  });
  const owner = element("select", { "aria-label": "Threads" });
  owner.append(element("option", { value: "" }, "All threads"));
  const processes = new Map();
  const nodes = new Map();
  const add = (groups, name, index) => groups.set(name, [...(groups.get(name) ?? []), index]);
  section.threads.forEach((thread, index) => {
    add(processes, thread.pid, index);
    if (thread.roots?.length > 1) add(nodes, thread.roots[0], index);
  });
  for (const [node, own] of nodes) owner.append(element("option", { value: own.join(",") }, `${node}: ${own.length} threads`));
  for (const [pid, own] of processes) {
    const name = section.threads[own[0]].roots?.join(", ") ?? `process ${pid}`;
    if (processes.size > 1 && own.length > 1) owner.append(element("option", { value: own.join(",") }, `${name}: ${own.length} threads`));
    for (const index of own) owner.append(element("option", { value: index }, section.threads[index].name));
  }
  const colours = element("select", { "aria-label": "Colours of the flame graph" });
  colours.append(element("option", { value: "" }, "Colours: modules"));
  (section.metrics ?? []).forEach((name, metric) => colours.append(element("option", { value: metric }, `Colours: ${name}`)));
  // From yellow, the lowest value, to violet; grey is no value.
  const paint = ({ values }) => {
    if (colours.value === "") return undefined;
    const level = values?.[colours.value]?.[1] ?? null;
    return level === null ? "hsl(0 0% 60%)" : `hsl(${50 - 130 * level} 80% 50%)`;
  };
  const all = element("button", { type: "button" }, "Show all");
  const chosen = element("p", { class: "chosen", role: "status" });
  const tools = [search, view];
  if (section.threads.length > 1) tools.push(owner);
  if (section.metrics) tools.push(colours);
  parts.push(element("div", { class: "tools" }, ...tools, all, found));

  if (hasTimes) parts.push(...lanes(section, samples));

  const graph = flame(section, samples, { search, found, fullName, count, percent, select, paint });
  parts.push(chosen, ...graph.parts);
  const table = functionTable(section, samples, { search, label, fullName, count, percent, select });
  parts.push(element("h3", {}, "Functions"), ...table.parts);
  const around = element("div", { class: "around" });
  parts.push(around);

  function select(name) {
    chosenFunction = name;
    showAround();
    around.scrollIntoView({ block: "nearest" });
  }
  function showAround() {
    around.replaceChildren();
    if (chosenFunction === null) return;
    around.append(...callersAndCallees(section, samples, chosenFunction, { label, fullName, count, percent, select }));
    around.append(...sourceOf(section, samples, chosenFunction, { count, percent }));
  }
  function update() {
    const [first, end] = hasTimes && time.high > time.low
      ? [Math.floor((time.low - section.start) / section.interval + 1e-6), Math.ceil((time.high - section.start) / section.interval - 1e-6)]
      : [0, Infinity];
    const isAll = !hasTimes || (time.low <= time.first && time.high >= time.last);
    samples.choose(isAll ? 0 : first, isAll ? Infinity : end, threads);
    const part = [];
    if (!isAll) part.push(`${time.low.toFixed(3)} to ${time.high.toFixed(3)} s`);
    if (threads !== null) part.push(owner.selectedOptions[0].textContent);
    chosen.textContent = `${count(samples.total)} ${section.unit}${part.length ? ` of ${part.join(", ")}` : ""}`;
    all.disabled = isAll && threads === null && !graph.isZoomed();
    graph.rebuild(VIEWS[view.value][2](samples));
    table.draw();
    showAround();
  }
  view.addEventListener("change", update);
  colours.addEventListener("change", () => graph.draw());
  owner.addEventListener("change", () => {
    threads = owner.value === "" ? null : new Set(owner.value.split(",").map(Number));
    update();
  });
  search.addEventListener("input", () => {
    graph.draw();
    table.draw();
  });
  graph.zoomed = () => (all.disabled = false);
  all.addEventListener("click", () => {
    [threads, owner.value] = [null, ""];
    graph.reset();
    if (hasTimes) time.show(time.first, time.last);
    else update();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement?.tagName !== "INPUT") {
      search.focus();
      event.preventDefault();
    }
  });
  if (hasTimes) time.charts.push({ draw: update, point() {} });
  else fitted.push(update);
  return parts;
}

// The functions with their own samples, and those with what they called.
function functionTable(section, samples, { search, label, fullName, count, percent, select }) {
  const ROWS = 200;
  const body = element("tbody", {});
  const more = element("p", {});
  // What is measured and not sampled has no standard error.
  const error = section.independent === null ? [] : ["± %"];
  const names = ["function", "module", "self", "%", ...error, "with callees", "%", ...error];
  const orders = [
    (a, b) => section.functions[a].name.localeCompare(section.functions[b].name),
    (a, b) => section.modules[section.functions[a].module].localeCompare(section.modules[section.functions[b].module]),
    (a, b) => samples.functionOwn[b] - samples.functionOwn[a],
    (a, b) => samples.functionWhole[b] - samples.functionWhole[a],
  ];
  let [order, column] = [orders[2], 2];
  const head = element("tr", {}, ...names.map((name, index) => {
    const number = index > 1 ? "number" : "";
    const sorts = { 0: 0, 1: 1, 2: 2, [names.indexOf("with callees")]: 3 }[index];
    if (sorts === undefined) return element("th", { class: `${number} plain`, scope: "col" }, name);
    const button = element("button", { type: "button", title: "Sort by this column" }, name);
    const cell = element("th", { class: number, scope: "col" }, button);
    button.addEventListener("click", () => {
      [order, column] = [orders[sorts], index];
      draw();
    });
    return cell;
  }));
  function draw() {
    [...head.children].forEach((cell, index) => cell.setAttribute("aria-sort", index === column ? (index > 1 ? "descending" : "ascending") : "none"));
    const asked = search.value.toLowerCase();
    const has = (name) => samples.functionWhole[name] > 0 && (asked === "" || fullName(section.functions[name]).toLowerCase().includes(asked));
    const rows = section.functions.map((_, name) => name).filter(has).sort((a, b) => order(a, b) || orders[2](a, b) || orders[3](a, b));
    body.replaceChildren(...rows.slice(0, ROWS).map((name) => {
      const of = section.functions[name];
      const button = element("button", { type: "button", class: "name", title: fullName(of) }, label(of));
      button.addEventListener("click", () => select(name));
      const numbers = [samples.functionOwn[name], samples.functionWhole[name]].flatMap((value) => {
        const [share, ...errors] = samples.share(value);
        return [count(value), share.toFixed(2), ...errors.map((error) => (value === 0 ? "" : error.toFixed(2)))];
      });
      return element("tr", {}, element("td", { class: "names" }, button), element("td", {}, section.modules[of.module]),
        ...numbers.map((text) => element("td", { class: "number" }, text)));
    }));
    more.textContent = rows.length > ROWS ? `… and ${count(rows.length - ROWS)} more functions: search for their names` : "";
  }
  const whole = element("div", { class: "scroll tall" }, element("table", { class: "functions" }, element("thead", {}, head), body));
  return { parts: [whole, more], draw };
}

// Who called a function, and what it called, side by side.
function callersAndCallees(section, samples, name, { label, fullName, count, percent, select }) {
  const { calls, callers } = section;
  const [above, below] = [new Map(), new Map()];
  const add = (to, key, value) => value > 0 && to.set(key, (to.get(key) ?? 0) + value);
  calls.forEach((of, call) => {
    const caller = callers[call];
    if (of === name && samples.isOutermost[call]) add(above, caller < 0 ? null : calls[caller], samples.whole[call]);
    if (caller >= 0 && calls[caller] === name && samples.isOutermost[caller]) add(below, of, samples.whole[call]);
  });
  add(below, undefined, samples.functionOwn[name]);
  const list = (title, sums) => {
    const rows = [...sums].sort((one, two) => two[1] - one[1]).slice(0, 50).map(([of, value]) => {
      const cell = element("td", { class: "names" });
      if (typeof of === "number") {
        const button = element("button", { type: "button", class: "name", title: fullName(section.functions[of]) }, label(section.functions[of]));
        button.addEventListener("click", () => select(of));
        cell.append(button);
      } else {
        cell.append(of === null ? "[outermost]" : "[the function itself]");
      }
      return element("tr", {}, cell, element("td", { class: "number" }, count(value)), element("td", { class: "number" }, percent(samples.share(value)[0])));
    });
    const caption = element("caption", {}, title);
    const head = ["function", section.unit, "share"].map((text, index) => element("th", { class: `${index ? "number" : ""} plain`, scope: "col" }, text));
    return element("table", { class: "functions" }, caption, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  };
  const whole = samples.functionWhole[name];
  const of = section.functions[name];
  return [
    element("h3", { class: "long", title: fullName(of) }, label(of)),
    element("p", {}, `${count(samples.functionOwn[name])} ${section.unit} of its own, ${count(whole)} (${percent(samples.share(whole)[0])}) with those of what it called`),
    element("div", { class: "sides" }, list("Callers", above), list("Callees", below)),
  ];
}

// The source of a function, each line with its share of the chosen samples.
function sourceOf(section, samples, name, { count, percent }) {
  const own = section.sources.filter((of) => of.function === name);
  const sources = own.length ? own : sourcesAround(section, samples, name);
  return sources.flatMap((source) => {
    const of = source.function;
    const sums = new Map();
    section.lines.forEach(([file, line, owner], index) => {
      if (file === source.file && owner === of) sums.set(line, (sums.get(line) ?? 0) + samples.lines[index]);
    });
    const hottest = Math.max(...sums.values(), 1);
    const body = element("tbody", {});
    let last = source.rows.length ? source.rows[0][0] - 1 : 0;
    for (const [line, code] of source.rows) {
      if (line > last + 1) body.append(element("tr", {}, element("td", { colspan: "4", class: "missing" }, "⋯")));
      last = line;
      const value = sums.get(line) ?? 0;
      const heat = `background:color-mix(in srgb, var(--hot) ${((60 * value) / hottest).toFixed(0)}%, transparent)`;
      body.append(element("tr", { style: heat },
        element("td", { class: "number" }, value ? count(value) : ""),
        element("td", { class: "number" }, value ? percent(samples.share(value)[0]) : ""),
        element("td", { class: "number missing" }, `${line}`),
        element("td", { class: "code" }, code)));
    }
    const names = [[section.unit, "number"], ["share", "number"], ["line", "number"], ["source", ""]];
    const head = element("tr", {}, ...names.map(([text, look]) => element("th", { class: `${look} plain`, scope: "col" }, text)));
    return [
      element("p", { class: "long" }, of === name ? section.files[source.file] : `inlined into ${section.functions[of].name}, ${section.files[source.file]}`),
      element("div", { class: "scroll tall" }, element("table", { class: "source" }, element("thead", {}, head), body)),
    ];
  });
}

// The sources of the functions into which another one was inlined: its lines are among theirs.
function sourcesAround(section, samples, name) {
  const around = new Map();
  section.calls.forEach((of, call) => {
    if (of !== name || samples.whole[call] === 0) return;
    if (!section.functions[of].inlined) return;
    for (let at = section.callers[call]; at >= 0; at = section.callers[at]) {
      if (section.functions[section.calls[at]].inlined) continue;
      around.set(section.calls[at], (around.get(section.calls[at]) ?? 0) + samples.whole[call]);
      break;
    }
  });
  const hottest = [...around].sort((one, two) => two[1] - one[1]).slice(0, 2).map(([of]) => of);
  return section.sources.filter((of) => hottest.includes(of.function));
}

// A lane for each thread, in which a bar is as high as the samples of its interval.
function lanes(section, samples) {
  const MOST = 32;
  const intervals = Math.round((section.end - section.start) / section.interval);
  const rows = section.threads.map(({ name }) => ({ name, all: 0, counts: new Array(intervals).fill(0) }));
  for (let at = 0; at < samples.counts.length; at += 1) {
    const row = rows[samples.threads[at]];
    row.counts[samples.intervals[at]] += samples.counts[at];
    row.all += samples.counts[at];
  }
  rows.sort((one, two) => two.all - one.all);
  const rest = rows.splice(MOST);
  if (rest.length) {
    const counts = rest[0].counts.map((_, at) => rest.reduce((sum, row) => sum + row.counts[at], 0));
    rows.push({ name: `${rest.length} other threads`, all: rest.reduce((sum, row) => sum + row.all, 0), counts });
  }
  return activity({ ...section, lanes: rows });
}

// Lanes with a bar for each interval, as high as its samples.
function activity(section) {
  const lane = 30;
  const left = 210;
  const height = lane * section.lanes.length + BOTTOM + 4;
  const most = section.lanes.reduce((most, row) => row.counts.reduce((a, b) => Math.max(a, b), most), 1);
  const readout = element("div", { class: "readout" });
  const interval = (at) => section.start + at * section.interval;
  const draw = (svg, x, right) => {
    section.lanes.forEach((row, index) => {
      const floor = lane * (index + 1) - 2;
      const all = row.counts.reduce((a, b) => a + b, 0);
      const title = shape("title", {}, `${row.name}: ${all.toLocaleString("en")} samples`);
      svg.append(shape("text", { x: left - 8, y: floor - 9, "text-anchor": "end" }, clipped(row.name), title));
      svg.append(shape("line", { class: "grid", x1: left, x2: right, y1: floor, y2: floor }));
      let path = "";
      row.counts.forEach((count, at) => {
        const [from, to] = [Math.max(x(interval(at)), left), Math.min(x(interval(at + 1)), right)];
        if (count === 0 || to <= from) return;
        const top = floor - (count / most) * (lane - 6);
        path += `M${from.toFixed(1)} ${floor}V${top.toFixed(1)}H${to.toFixed(1)}V${floor}Z`;
      });
      svg.append(shape("path", { d: path, fill: COLOURS[index % COLOURS.length] }));
    });
  };
  const between = (at) => `${interval(at).toFixed(3)} to ${interval(at + 1).toFixed(3)} s: `;
  const point = (time) => {
    const at = Math.floor((time - section.start) / section.interval);
    const busy = section.lanes.filter((row) => row.counts[at] > 0).map((row) => `${row.name} ${row.counts[at]}`);
    readout.textContent = between(at) + (busy.length ? `${section.unit ?? "samples"} of ${busy.slice(0, 8).join(", ")}` : "no samples");
  };
  readout.textContent = `The highest bar is ${most.toLocaleString("en")} ${section.unit ?? "samples"} in ${short(section.interval * 1000)} ms. Drag to choose a part of the time, double-click to choose all of it.`;
  return [chart(height, left, draw, point), readout];
}
