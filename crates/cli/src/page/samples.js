// The samples of a profile, their sums for what is chosen, and their stacks as frames.

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

  // The share in percent, and if there were samples, its standard error.
  share(count) {
    const all = this.total || 1;
    const part = count / all;
    if (this.section.independent === null) return [100 * part];
    const number = Math.max(all * this.section.independent, 1);
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

// The frames with those that a thread has as the outermost.
function threadFrames(samples, roots) {
  const frames = new Frames();
  const sums = new Map();
  for (const at of samples.chosen) {
    const key = samples.threads[at] * samples.section.calls.length + samples.section.place_calls[samples.places[at]];
    sums.set(key, (sums.get(key) ?? 0) + samples.counts[at]);
  }
  for (const [key, count] of sums) {
    const call = key % samples.section.calls.length;
    const thread = samples.section.threads[Math.floor(key / samples.section.calls.length)];
    frames.add([...roots(thread), ...samples.path(call)], count);
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
  ["By thread", "Callers first, with the thread as the outermost frame", (samples) => threadFrames(samples, ({ name }) => [name])],
  ["In order of time", "Callers first, from left to right as the samples were taken", timeFrames],
  ["By rank", "Callers first, with the node and the rank as the outermost frames", (samples) => threadFrames(samples, ({ name, roots }) => roots ?? [name])],
];
