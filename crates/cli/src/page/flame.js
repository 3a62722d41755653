// Flame graphs: of the chosen samples, and of two profiles.

// The flame graph: a click shows a frame in the full width, a search marks those that have the words in their name.
function flame(section, samples, { search, found, fullName, count, percent, select, colour, words: wordsOf, paint }) {
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
    const values = (of(frame).values ?? []).map(([text], metric) => `  ${section.metrics[metric]} ${text}`);
    return `${percent((100 * width) / (samples.total || 1))}  ${count(width)} ${section.unit}  ${title(frame)}${values.join("")}`;
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
      const own = () => paint?.(of(frame)) ?? moduleColour(module < 0 ? "" : section.modules[module]);
      const fill = colour ? colour(frames.calls[frame]) : own();
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
  // What a run takes: in milliseconds, or in samples.
  const amounts = (call) => section.counts[call].map((value, side) => (value / section.runs[side]) * (1000 * section.each[side] || 1));
  const noise = section.runs ? "noise" : "chance";
  const colour = (call) => {
    if (section.verdicts[call] === 0) return "hsl(0 0% 62%)";
    const [base, other] = section.runs ? amounts(call) : shares(call);
    const strength = Math.min(Math.abs(other - base) / Math.max(base, other, 1e-9), 1);
    return `hsl(${section.verdicts[call] > 0 ? 6 : 216} ${45 + 50 * strength}% 50%)`;
  };
  const words = (call) => {
    const [base, other] = shares(call);
    const verdict = [`less, by more than ${noise}`, `no more than ${noise}`, `more, by more than ${noise}`][section.verdicts[call] + 1];
    const name = fullName(section.functions[section.calls[call]]);
    if (section.runs) {
      const unit = section.each[0] > 0 ? "ms" : "samples";
      return `${amounts(call).map((value) => value.toFixed(2)).join(" → ")} ${unit} a run (${percent(base)} → ${percent(other)}): ${verdict}  ${name}`;
    }
    const times = section.each[0] > 0 ? `, ${section.counts[call].map((value, side) => `${count(1000 * value * section.each[side])} ms`).join(" → ")}` : "";
    return `${percent(base)} → ${percent(other)}${times}: ${verdict}  ${name}`;
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
  const legend = element("div", { class: "legend" }, ...[["hsl(6 80% 50%)", "more in B"], ["hsl(216 80% 50%)", "less in B"], ["hsl(0 0% 62%)", `no more than ${noise}`]].map(([of, name]) =>
    element("span", {}, element("i", { style: `background:${of}` }), name)));
  return [element("div", { class: "tools" }, search, width, all, found), ...graph.parts.slice(0, 2), legend];
}
