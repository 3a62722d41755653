"use strict";
// Sections of profiles.

// A flame graph: frames from the outermost at the bottom; a click shows one in the full width, and a search marks those that have the words in their name.
function flame(section) {
  const row = 18;
  const deepest = section.frames.reduce((most, [, depth]) => Math.max(most, depth), 0);
  const height = row * (deepest + 1) + 4;
  const svg = shape("svg", { height, class: "flame" });
  const readout = element("div", { class: "readout" });
  const search = element("input", { type: "search", placeholder: "Search functions", "aria-label": "Search functions" });
  const reset = element("button", { type: "button", disabled: "" }, "Show all");
  const found = element("span", { class: "found" });
  const names = section.functions.map(({ name, full, module, inlined }) => {
    const file = section.modules[module];
    return (full ?? name) + (inlined ? " (inlined)" : "") + (file === "" ? "" : ` (${file})`);
  });
  let [low, high] = [0, section.total];
  const share = (count) => `${((100 * count) / section.total).toFixed(2)} %`;
  const count = (number) => number.toLocaleString("en");
  const words = ([name, , , width]) => `${names[name]}: ${count(width)} ${section.unit}, ${share(width)} of all`;
  const show = (from, to) => {
    [low, high] = [from, to];
    reset.disabled = low === 0 && high === section.total;
    draw();
  };
  function draw() {
    const width = svg.clientWidth || 1000;
    const x = (at) => ((at - low) / (high - low || 1)) * width;
    const asked = search.value.toLowerCase();
    const matches = names.map((name) => asked !== "" && name.toLowerCase().includes(asked));
    svg.replaceChildren();
    for (const frame of section.frames) {
      const [name, depth, start, samples] = frame;
      const [left, right] = [Math.max(x(start), 0), Math.min(x(start + samples), width)];
      if (right - left < 0.5) continue;
      const y = height - row * (depth + 1) - 2;
      const colour = COLOURS[section.functions[name].module % COLOURS.length];
      const attributes = { x: left, y, width: Math.max(right - left - 0.5, 0.5), height: row - 1, rx: 1 };
      const rect = shape("rect", { ...attributes, class: matches[name] ? "found" : "", style: `--colour:${colour}` });
      rect.addEventListener("click", () => show(start, start + samples));
      rect.addEventListener("pointerenter", () => (readout.textContent = words(frame)));
      svg.append(rect);
      const letters = Math.floor((right - left - 6) / 6.8);
      if (letters >= 3) {
        const text = section.functions[name].name;
        svg.append(shape("text", { x: left + 3, y: y + 13 }, text.length > letters ? `${text.slice(0, letters - 1)}…` : text));
      }
    }
    found.textContent = asked === "" ? "" : `${share(inside(matches))} of the ${section.unit} have it in their stack`;
  }
  // The samples of the frames that match; one inside another adds nothing.
  function inside(matches) {
    const spans = section.frames.filter(([name]) => matches[name]).map(([, , start, samples]) => [start, start + samples]);
    let [sum, end] = [0, 0];
    for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
      sum += Math.max(to - Math.max(from, end), 0);
      end = Math.max(end, to);
    }
    return sum;
  }
  search.addEventListener("input", draw);
  reset.addEventListener("click", () => show(0, section.total));
  svg.addEventListener("pointerleave", () => (readout.textContent = hint));
  const hint = "Click a frame to see it in the full width. Each is above the function that called it, and as wide as its share.";
  readout.textContent = hint;
  const frame = element("div", { class: "tall" }, svg);
  // The outermost frames are at the bottom, and seen first.
  fitted.push(() => {
    const isFirst = svg.childElementCount === 0;
    draw();
    if (isFirst) frame.scrollTop = frame.scrollHeight;
  });
  const modules = section.modules.map((name, index) => {
    const colour = element("i", { style: `background:${COLOURS[index % COLOURS.length]}` });
    return element("span", {}, colour, name === "" ? "no module" : name);
  });
  const more = modules.splice(COLOURS.length).length;
  if (more > 0) modules.push(element("span", {}, `and ${more} more in the same colours`));
  return [
    element("div", { class: "tools" }, search, reset, found),
    frame,
    readout,
    element("div", { class: "legend" }, ...modules),
  ];
}

// A lane for each thread, in which a bar is as high as the samples of its interval.
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
    readout.textContent = between(at) + (busy.length ? `samples of ${busy.slice(0, 8).join(", ")}` : "no samples");
  };
  readout.textContent = `The highest bar is ${most.toLocaleString("en")} samples in ${short(section.interval * 1000)} ms.`;
  return [chart(height, left, draw, point), readout];
}

// The source of functions, each line with its share; the first is open.
function source(section) {
  return section.functions.map((shown, index) => {
    const hottest = shown.rows.reduce((most, row) => Math.max(most, row.share ?? 0), 0) || 1;
    const body = element("tbody", {});
    let last = shown.rows[0].first - 1;
    for (const row of shown.rows) {
      if (row.first > last + 1) body.append(element("tr", {}, element("td", { colspan: "4", class: "missing" }, "⋯")));
      last = Math.max(last, row.last);
      const lines = row.first === row.last ? `${row.first}` : `${row.first}–${row.last}`;
      const heat = `background:color-mix(in srgb, var(--hot) ${((60 * (row.share ?? 0)) / hottest).toFixed(0)}%, transparent)`;
      body.append(element("tr", { style: heat },
        element("td", { class: "number" }, row.samples === undefined ? "" : row.samples.toLocaleString("en")),
        element("td", { class: "number" }, row.text ?? ""),
        element("td", { class: "number missing" }, lines),
        element("td", { class: "code" }, row.code)));
    }
    const names = [["samples", "number"], ["share", "number"], ["line", "number"], ["source", ""]];
    const head = element("tr", {}, ...names.map(([name, look]) => element("th", { class: `${look} plain` }, name)));
    const title = element("summary", {}, element("b", {}, shown.function), ` ${shown.file}: ${shown.samples}`);
    const whole = element("div", { class: "scroll" }, element("table", { class: "source" }, element("thead", {}, head), body));
    return element("details", index === 0 ? { open: "" } : {}, title, whole);
  });
}

