"use strict";
// A profile one can work in: the samples of the chosen time and threads as a flame graph, tables and source.

// The colour of a module, which is the same in every page.
function moduleColour(name) {
  if (name === "") return "hsl(0 0% 60%)";
  if (name.startsWith("[kernel")) return "hsl(22 75% 52%)";
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return `hsl(${15 * (hash % 24)} ${50 + 15 * ((hash >>> 8) % 3)}% ${40 + 8 * ((hash >>> 12) % 3)}%)`;
}

// A name in so many letters: without the namespaces before the last parts of it that fit, or else its beginning.
function cutName(name, letters) {
  if (name.length <= letters) return name;
  let [last, depth] = [name, 0];
  for (let at = 0; at < name.length; at += 1) {
    if ("<([{".includes(name[at])) depth += 1;
    if (">)]}".includes(name[at])) depth = Math.max(depth - 1, 0);
    if (depth === 0 && name[at] === ":" && name[at - 1] === ":") {
      last = name.slice(at + 1);
      if (last.length + 3 <= letters) return `…::${last}`;
    }
  }
  return last.length <= letters ? last : `${last.slice(0, letters - 1)}…`;
}

// The samples of a section, and sums of those that are chosen.
class Samples {
  constructor(section) {
    this.section = section;
    const count = section.counts.length / 4;
    this.intervals = new Uint32Array(count);
    this.threads = new Uint32Array(count);
    this.places = new Uint32Array(count);
    this.counts = new Float64Array(count);
    let interval = 0;
    for (let at = 0; at < count; at += 1) {
      interval += section.counts[4 * at];
      this.intervals[at] = interval;
      this.threads[at] = section.counts[4 * at + 1];
      this.places[at] = section.counts[4 * at + 2];
      this.counts[at] = section.counts[4 * at + 3];
    }
    // A call that no other call of its function is outside of: the samples of a function are those of these.
    const { calls, callers } = section;
    this.isOutermost = calls.map((name, call) => {
      for (let at = callers[call]; at >= 0; at = callers[at]) if (calls[at] === name) return false;
      return true;
    });
    this.choose(0, Infinity, null);
  }

  // Adds up the samples of the intervals from `first` up to but not including `end`, of some threads or of all.
  choose(first, end, threads) {
    const { calls, callers, place_calls, place_lines, lines, functions } = this.section;
    const isWhole = first <= 0 && end >= Infinity && threads === null;
    this.chosen = [];
    const placed = new Float64Array(place_calls.length);
    let total = 0;
    for (let at = 0; at < this.counts.length; at += 1) {
      const interval = this.intervals[at];
      if (interval < first || interval >= end || (threads !== null && !threads.has(this.threads[at]))) continue;
      placed[this.places[at]] += this.counts[at];
      total += this.counts[at];
      this.chosen.push(at);
    }
    this.placed = placed;
    // All samples, those outside of every stack included, where nothing is left out.
    this.total = isWhole ? this.section.total : total;
    this.own = new Float64Array(calls.length);
    this.lines = new Float64Array(lines.length);
    placed.forEach((count, place) => {
      this.own[place_calls[place]] += count;
      if (place_lines[place] >= 0) this.lines[place_lines[place]] += count;
    });
    this.whole = Float64Array.from(this.own);
    for (let call = calls.length - 1; call >= 0; call -= 1) {
      if (callers[call] >= 0) this.whole[callers[call]] += this.whole[call];
    }
    this.functionOwn = new Float64Array(functions.length);
    this.functionWhole = new Float64Array(functions.length);
    calls.forEach((name, call) => {
      this.functionOwn[name] += this.own[call];
      if (this.isOutermost[call]) this.functionWhole[name] += this.whole[call];
    });
  }

  // The share in percent, and its standard error.
  share(count) {
    const all = this.total || 1;
    const [part, number] = [count / all, Math.max(all * this.section.independent, 1)];
    const error = part > 0 && part < 1 ? Math.sqrt((part * (1 - part)) / number) : Math.sqrt((number + 1) / (number + 3)) / (number + 2);
    return [100 * part, 100 * error];
  }

  // The functions of a call and of its callers, the outermost first.
  path(call) {
    const names = [];
    for (let at = call; at >= 0; at = this.section.callers[at]) names.push(this.section.calls[at]);
    return names.reverse();
  }
}

// Frames to draw: the function, or a text, the frame below, the depth, the left edge and the width in samples.
class Frames {
  constructor() {
    this.names = [];
    this.parents = [];
    this.widths = [];
    this.known = new Map();
  }

  // The frame of a name above another one.
  above(parent, name) {
    const key = `${parent} ${name}`;
    let frame = this.known.get(key);
    if (frame === undefined) {
      frame = this.names.push(name) - 1;
      this.parents.push(parent);
      this.widths.push(0);
      this.known.set(key, frame);
    }
    return frame;
  }

  add(path, count) {
    let frame = -1;
    for (const name of path) {
      frame = this.above(frame, name);
      this.widths[frame] += count;
    }
  }

  // Puts the widest of the frames with one parent first.
  place() {
    const above = this.names.map(() => []);
    const roots = [];
    this.parents.forEach((parent, frame) => (parent < 0 ? roots : above[parent]).push(frame));
    this.starts = new Float64Array(this.names.length);
    this.depths = new Uint32Array(this.names.length);
    const row = (frames, start, depth) => {
      frames.sort((one, two) => this.widths[two] - this.widths[one]);
      for (const frame of frames) {
        [this.starts[frame], this.depths[frame]] = [start, depth];
        start += this.widths[frame];
      }
    };
    row(roots, 0, 0);
    for (let frame = 0; frame < this.names.length; frame += 1) row(above[frame], this.starts[frame], this.depths[frame] + 1);
    return this;
  }
}

// The frames of the calls, with the widest first.
function callFrames(samples) {
  const { calls, callers } = samples.section;
  const frames = new Frames();
  frames.calls = [];
  const of = new Int32Array(calls.length).fill(-1);
  calls.forEach((name, call) => {
    if (samples.whole[call] === 0) return;
    of[call] = frames.names.push(name) - 1;
    frames.calls.push(call);
    frames.parents.push(callers[call] < 0 ? -1 : of[callers[call]]);
    frames.widths.push(samples.whole[call]);
  });
  return frames.place();
}

// The frames with the name of the thread as the outermost.
function threadFrames(samples) {
  const frames = new Frames();
  const sums = new Map();
  for (const at of samples.chosen) {
    const key = samples.threads[at] * samples.section.calls.length + samples.section.place_calls[samples.places[at]];
    sums.set(key, (sums.get(key) ?? 0) + samples.counts[at]);
  }
  for (const [key, count] of sums) {
    const call = key % samples.section.calls.length;
    const thread = samples.section.threads[Math.floor(key / samples.section.calls.length)];
    frames.add([thread.name, ...samples.path(call)], count);
  }
  return frames.place();
}

// The frames turned around: the functions with samples of their own, with their callers above them.
function invertedFrames(samples) {
  const frames = new Frames();
  samples.own.forEach((count, call) => {
    if (count > 0) frames.add(samples.path(call).reverse(), count);
  });
  return frames.place();
}

// The frames in the order of time: neighbours with the same callers are one frame.
function timeFrames(samples) {
  const frames = new Frames();
  [frames.starts, frames.depths] = [[], []];
  let [open, position] = [[], 0];
  const chosen = [...samples.chosen].sort((one, two) =>
    samples.intervals[one] - samples.intervals[two] || samples.threads[one] - samples.threads[two] || samples.places[one] - samples.places[two]);
  const paths = new Map();
  for (const at of chosen) {
    const call = samples.section.place_calls[samples.places[at]];
    if (!paths.has(call)) paths.set(call, samples.path(call));
    const path = paths.get(call);
    let same = 0;
    while (same < path.length && same < open.length && frames.names[open[same]] === path[same]) same += 1;
    open = open.slice(0, same);
    for (let depth = same; depth < path.length; depth += 1) {
      const frame = frames.names.push(path[depth]) - 1;
      frames.parents.push(depth > 0 ? open[depth - 1] : -1);
      frames.widths.push(0);
      frames.starts.push(position);
      frames.depths.push(depth);
      open.push(frame);
    }
    for (const frame of open) frames.widths[frame] += samples.counts[at];
    position += samples.counts[at];
  }
  return frames;
}

const VIEWS = [
  ["Callers first", "Each frame is above the function that called it, the widest first", callFrames],
  ["Callees first", "The functions with samples of their own, with their callers above them", invertedFrames],
  ["By thread", "Callers first, with the thread as the outermost frame", threadFrames],
  ["In order of time", "Callers first, from left to right as the samples were taken", timeFrames],
];

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
    if (section.threads.length > 1 || index !== 2) view.append(element("option", { value: index, title }, name));
  });
  const owner = element("select", { "aria-label": "Threads" });
  owner.append(element("option", { value: "" }, "All threads"));
  const processes = new Map();
  section.threads.forEach((thread, index) => {
    if (!processes.has(thread.pid)) processes.set(thread.pid, []);
    processes.get(thread.pid).push(index);
  });
  for (const [pid, own] of processes) {
    if (processes.size > 1 && own.length > 1) owner.append(element("option", { value: own.join(",") }, `process ${pid}: ${own.length} threads`));
    for (const index of own) owner.append(element("option", { value: index }, section.threads[index].name));
  }
  const all = element("button", { type: "button" }, "Show all");
  const chosen = element("p", { class: "chosen", role: "status" });
  const tools = [search, view];
  if (section.threads.length > 1) tools.push(owner);
  parts.push(element("div", { class: "tools" }, ...tools, all, found));

  if (hasTimes) parts.push(...lanes(section, samples));

  const graph = flame(section, samples, { search, found, fullName, count, percent, select });
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

// The flame graph: a click shows a frame in the full width, a search marks those that have the words in their name.
function flame(section, samples, { search, found, fullName, count, percent, select, colour, words: wordsOf }) {
  const row = 18;
  const svg = shape("svg", { class: "flame", tabindex: "0", role: "img", "aria-label": "Flame graph. The arrow keys go from frame to frame, Enter shows one in the full width, Escape shows all. The tables below have the same numbers." });
  const readout = element("div", { class: "readout", role: "status" });
  const hint = "Click a frame to see it in the full width, or use the arrow keys and Enter.";
  readout.textContent = hint;
  const box = element("div", { class: "tall" }, svg);
  let frames = new Frames().place();
  let [low, high, focus] = [0, 1, -1];
  const total = () => frames.parents.reduce((sum, parent, frame) => (parent < 0 ? sum + frames.widths[frame] : sum), 0) || 1;
  const of = (frame) => {
    const name = frames.names[frame];
    return typeof name === "number" ? section.functions[name] : { name, module: -1 };
  };
  const title = (frame) => (typeof frames.names[frame] === "number" ? fullName(of(frame)) : frames.names[frame]);
  const words = (frame) => {
    if (wordsOf) return wordsOf(frames.calls[frame]);
    const width = frames.widths[frame];
    return `${percent((100 * width) / (samples.total || 1))}  ${count(width)} ${section.unit}  ${title(frame)}`;
  };
  let height = 0;
  const graph = { parts: [box, readout], zoomed() {}, draw, isZoomed: () => low > 0 || high < total() };
  graph.reset = () => ([low, high, focus] = [0, total(), -1]);
  graph.rebuild = (built) => {
    frames = built;
    // It stays the same when a frame is shown in the full width, so that nothing below moves.
    height = row * (frames.depths.reduce((most, depth) => Math.max(most, depth), 0) + 1) + 4;
    svg.setAttribute("height", height);
    graph.reset();
    draw();
    box.scrollTop = box.scrollHeight;
  };
  const zoom = (frame) => {
    [low, high] = [frames.starts[frame], frames.starts[frame] + frames.widths[frame]];
    graph.zoomed();
    draw();
  };
  const say = (frame) => {
    readout.textContent = words(frame);
    readout.title = title(frame);
  };
  function draw() {
    const width = svg.clientWidth || 1000;
    const scale = width / (high - low || 1);
    const asked = search.value.toLowerCase();
    const isFound = section.functions.map((of) => asked !== "" && fullName(of).toLowerCase().includes(asked));
    const isMarked = (frame) => (typeof frames.names[frame] === "number" ? isFound[frames.names[frame]] : asked !== "" && frames.names[frame].toLowerCase().includes(asked));
    const shown = [];
    for (let frame = 0; frame < frames.names.length; frame += 1) {
      const left = Math.max((frames.starts[frame] - low) * scale, 0);
      const right = Math.min((frames.starts[frame] + frames.widths[frame] - low) * scale, width);
      if (right - left < 0.5) continue;
      shown.push([frame, left, right]);
    }
    svg.replaceChildren();
    for (const [frame, left, right] of shown) {
      const y = height - row * (frames.depths[frame] + 1) - 2;
      const { name, module } = of(frame);
      const look = [isMarked(frame) ? "found" : "", frame === focus ? "focus" : ""].join(" ").trim();
      const fill = colour ? colour(frames.calls[frame]) : moduleColour(module < 0 ? "" : section.modules[module]);
      const rect = shape("rect", { x: left, y, width: Math.max(right - left - 0.5, 0.5), height: row - 1, rx: 1, class: look, style: `--colour:${fill}` });
      rect.addEventListener("click", () => {
        focus = frame;
        zoom(frame);
        if (typeof frames.names[frame] === "number") select(frames.names[frame]);
      });
      rect.addEventListener("pointerenter", () => say(frame));
      svg.append(rect);
      const letters = Math.floor((right - left - 6) / 6.8);
      if (letters >= 3) svg.append(shape("text", { x: left + 3, y: y + 13 }, cutName(name, letters)));
    }
    found.textContent = asked === "" ? "" : `${percent((100 * covered(isMarked)) / (samples.total || 1))} of the ${section.unit ?? "samples"} have it in their stack`;
  }
  // The samples of the frames that match; one above another adds nothing.
  function covered(isMarked) {
    const inside = new Uint8Array(frames.names.length);
    let sum = 0;
    for (let frame = 0; frame < frames.names.length; frame += 1) {
      const parent = frames.parents[frame];
      inside[frame] = (parent >= 0 && inside[parent]) || isMarked(frame) ? 1 : 0;
      if (inside[frame] && !(parent >= 0 && inside[parent])) sum += frames.widths[frame];
    }
    return sum;
  }
  // The frame that an arrow key leads to.
  function next(key) {
    const neighbours = (parent) => frames.names.map((_, frame) => frame).filter((frame) => frames.parents[frame] === parent).sort((a, b) => frames.starts[a] - frames.starts[b]);
    if (focus < 0) return neighbours(-1)[0];
    if (key === "ArrowDown") return frames.parents[focus];
    if (key === "ArrowUp") return neighbours(focus)[0];
    const row = neighbours(frames.parents[focus]);
    return row[row.indexOf(focus) + (key === "ArrowRight" ? 1 : -1)];
  }
  svg.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) {
      const to = next(event.key);
      if (to !== undefined && to >= 0) {
        focus = to;
        draw();
        say(focus);
      }
      event.preventDefault();
    } else if (event.key === "Enter" && focus >= 0) {
      zoom(focus);
      if (typeof frames.names[focus] === "number") select(frames.names[focus]);
    } else if (event.key === "Escape") {
      graph.reset();
      draw();
    }
  });
  svg.addEventListener("pointerleave", () => {
    readout.textContent = hint;
    readout.title = "";
  });
  const modules = element("div", { class: "legend" });
  const MOST = 12;
  section.modules.slice(0, MOST).forEach((name) => {
    const colour = element("i", { style: `background:${moduleColour(name)}` });
    modules.append(element("span", {}, colour, name === "" ? "no module" : name));
  });
  if (section.modules.length > MOST) modules.append(element("span", {}, `and ${section.modules.length - MOST} more`));
  graph.parts.push(modules);
  return graph;
}

// The functions with their own samples, and those with what they called.
function functionTable(section, samples, { search, label, fullName, count, percent, select }) {
  const ROWS = 200;
  const body = element("tbody", {});
  const more = element("p", {});
  const names = ["function", "module", "self", "%", "± %", "with callees", "%", "± %"];
  const orders = [
    (a, b) => section.functions[a].name.localeCompare(section.functions[b].name),
    (a, b) => section.modules[section.functions[a].module].localeCompare(section.modules[section.functions[b].module]),
    (a, b) => samples.functionOwn[b] - samples.functionOwn[a],
    (a, b) => samples.functionWhole[b] - samples.functionWhole[a],
  ];
  let [order, column] = [orders[2], 2];
  const head = element("tr", {}, ...names.map((name, index) => {
    const number = index > 1 ? "number" : "";
    const sorts = { 0: 0, 1: 1, 2: 2, 5: 3 }[index];
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
        const [share, error] = samples.share(value);
        return [count(value), share.toFixed(2), value === 0 ? "" : error.toFixed(2)];
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

// The calls of two profiles: as wide as in one of them, and coloured where the difference is more than chance.
function difference(section) {
  const count = (number) => number.toLocaleString("en", { maximumFractionDigits: 0 });
  const percent = (number) => `${number.toFixed(2)} %`;
  const fullName = ({ name, full, module, inlined }) => {
    const file = section.modules[module];
    return (full ?? name) + (inlined ? " (inlined)" : "") + (file === "" ? "" : `  ${file}`);
  };
  const search = element("input", { type: "search", placeholder: "Search functions  ( / )", "aria-label": "Search functions" });
  const found = element("span", { class: "found", role: "status" });
  const width = element("select", { "aria-label": "Width of the frames" });
  width.append(element("option", { value: 1 }, "As wide as in B"), element("option", { value: 0 }, "As wide as in A"));
  const all = element("button", { type: "button", disabled: "" }, "Show all");
  const samples = { section, total: 1 };
  const shares = (call) => section.counts[call].map((value, side) => (100 * value) / (section.totals[side] || 1));
  const colour = (call) => {
    if (section.verdicts[call] === 0) return "hsl(0 0% 62%)";
    const [base, other] = shares(call);
    const strength = Math.min(Math.abs(other - base) / Math.max(base, other, 1e-9), 1);
    return `hsl(${section.verdicts[call] > 0 ? 6 : 216} ${45 + 50 * strength}% 50%)`;
  };
  const words = (call) => {
    const [base, other] = shares(call);
    const times = section.each[0] > 0 ? `, ${section.counts[call].map((value, side) => `${count(1000 * value * section.each[side])} ms`).join(" → ")}` : "";
    const verdict = ["less, by more than chance", "no more than chance", "more, by more than chance"][section.verdicts[call] + 1];
    return `${percent(base)} → ${percent(other)}${times}: ${verdict}  ${fullName(section.functions[section.calls[call]])}`;
  };
  const graph = flame(section, samples, { search, found, fullName, count, percent, select() {}, colour, words });
  const build = () => {
    const side = Number(width.value);
    samples.whole = section.counts.map((value) => value[side]);
    samples.total = section.totals[side];
    graph.rebuild(callFrames(samples));
    all.disabled = true;
  };
  graph.zoomed = () => (all.disabled = false);
  width.addEventListener("change", build);
  search.addEventListener("input", graph.draw);
  all.addEventListener("click", () => {
    graph.reset();
    graph.draw();
    all.disabled = true;
  });
  fitted.push(build);
  const legend = element("div", { class: "legend" }, ...[["hsl(6 80% 50%)", "more in B"], ["hsl(216 80% 50%)", "less in B"], ["hsl(0 0% 62%)", "no more than chance"]].map(([of, name]) =>
    element("span", {}, element("i", { style: `background:${of}` }), name)));
  return [element("div", { class: "tools" }, search, width, all, found), ...graph.parts.slice(0, 2), legend];
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
