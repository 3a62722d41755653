// Values over a parameter: a point for each value with the deviation of its runs, and a line through the points of one curve.
function curves(section) {
  const height = 220;
  const left = 60;
  const hidden = new Set();
  const isNumeric = section.at.every((value) => value !== null) && section.x.length > 1;
  const places = isNumeric ? section.at : section.x.map((_, index) => index);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const readout = element("div", { class: "readout" }, " ");
  const svg = shape("svg", { height, role: "img", "aria-label": `${section.title} over ${section.parameter}` });
  const draw = () => {
    const right = (svg.clientWidth || 1000) - RIGHT - 20;
    const bottom = height - BOTTOM - 14;
    const shown = section.series.filter((_, index) => !hidden.has(index));
    const ends = shown.flatMap((curve) => curve.points.flatMap(([, mean, error]) => [mean - (error ?? 0), mean + (error ?? 0)]));
    if (section.reference !== undefined) ends.push(section.reference);
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const x = (index) => left + 20 + ((places[index] - first) / (last - first || 1)) * (right - left - 20);
    const y = (value) => bottom - ((value - low) / (high - low || 1)) * (bottom - 10);
    svg.replaceChildren();
    for (const tick of ticks(low, high, 4)) {
      svg.append(shape("line", { class: "grid", x1: left, x2: right + 20, y1: y(tick), y2: y(tick) }));
      svg.append(shape("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, short(tick)));
    }
    // Values that would cover each other are left out; the line of each is at its point.
    let free = -Infinity;
    const order = [...places.keys()].sort((one, two) => places[one] - places[two]);
    for (const index of order) {
      const text = clipped(section.x[index], 14) || "(empty)";
      const room = 7 * text.length;
      svg.append(shape("line", { class: "grid", x1: x(index), x2: x(index), y1: bottom, y2: bottom + 4 }));
      if (x(index) - room / 2 < free) continue;
      free = x(index) + room / 2;
      svg.append(shape("text", { x: x(index), y: bottom + 17, "text-anchor": "middle" }, text));
    }
    svg.append(shape("text", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, section.parameter));
    if (section.reference !== undefined) {
      const line = { class: "reference", x1: left, x2: right + 20, y1: y(section.reference), y2: y(section.reference) };
      svg.append(shape("line", line, shape("title", {}, `reference: ${short(section.reference)}`)));
      svg.append(shape("text", { x: right + 20, y: y(section.reference) - 4, "text-anchor": "end" }, "reference"));
    }
    section.series.forEach((curve, number) => {
      if (hidden.has(number)) return;
      const colour = COLOURS[number % COLOURS.length];
      const points = [...curve.points].sort(([one], [two]) => places[one] - places[two]);
      const path = points.map(([index, mean], at) => `${at ? "L" : "M"}${x(index).toFixed(1)} ${y(mean).toFixed(1)}`).join("");
      if (isNumeric) svg.append(shape("path", { d: path, fill: "none", stroke: colour, "stroke-width": 1.5 }));
      for (const [index, mean, error, text] of points) {
        if (error) {
          const d = `M${x(index)} ${y(mean - error)}V${y(mean + error)}M${x(index) - 4} ${y(mean - error)}h8M${x(index) - 4} ${y(mean + error)}h8`;
          svg.append(shape("path", { class: "error", d }));
        }
        const name = [curve.name, `${section.parameter}=${section.x[index]}`].filter(Boolean).join(" ");
        const words = `${name}: ${text}`;
        const point = shape("circle", { cx: x(index), cy: y(mean), r: 4, fill: colour, tabindex: 0, "aria-label": words }, shape("title", {}, words));
        const say = () => (readout.textContent = words);
        point.addEventListener("pointerenter", say);
        point.addEventListener("focus", say);
        svg.append(point);
      }
    });
  };
  fitted.push(draw);
  const parts = [svg, readout];
  if (section.series.length > 1) parts.push(legend(section.series.map((curve) => curve.name), hidden, draw));
  return parts;
}

