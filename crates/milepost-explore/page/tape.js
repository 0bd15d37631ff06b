// What a run has done, event by event, and the state of the picture at any step. Each event that changes a state keeps what was
// there before (`old`, `prev`), so the tape plays backwards as fast as forwards: a seek costs the events between, some 10 ns each,
// and no key frames are kept. State lives in pages of 65,536 states that exist only where something happened.

export const KIND = { OPEN: 0, CLOSE: 1, BETTER: 2, JUMP: 3, LOOK: 4, LEARN: 5, SEE: 6, MOVE: 7, PLAN: 8, PATH: 9, EDIT: 10,
  WAIT: 11, END: 12, HOP: 13, SUBGOAL: 14, RECORD: 15, REGION: 16, TREE: 17 };
export const FLAG = { OPEN: 1, CLOSED: 2, JUMP: 4, SEEN_GROUND: 8, SEEN_WALL: 16, EDIT_WALL: 32, EDIT_GROUND: 64, BAND: 128 };
const BAND = 16; // on grids closed states show bands of this much cost
const SEEK_MS = 14; // a long way is walked in slices, one a frame
const K = KIND, F = FLAG;

/** Kinds that change a state's picture; the others are found by step. */
const KEEPS = new Uint8Array(32);
for (const kind of [K.OPEN, K.CLOSE, K.BETTER, K.JUMP, K.LEARN, K.SEE, K.MOVE, K.EDIT, K.REGION, K.TREE]) KEEPS[kind] = 1;
/** Kinds that are drawn as lines or marks, newest first: each has a list of its events. */
const LISTED = [K.JUMP, K.HOP, K.SUBGOAL, K.RECORD, K.REGION, K.TREE, K.EDIT];
/** Kinds of which only the newest step's are drawn. */
const LATEST = [K.LOOK, K.PLAN, K.RECORD];

function grown(array, length) {
  if (length <= array.length) return array;
  const larger = new array.constructor(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
const newPage = () => ({ flags: new Uint8Array(65536), learned: null, visits: null, last: null, region: null, parent: null, edited: null,
  canvas: null, x0: 256, y0: 256, x1: -1, y1: -1 });

export class Tape {
  constructor(geometry) {
    this.geometry = geometry;
    this.pages = [];
    this.events = new Uint32Array(4096); this.values = new Float32Array(this.events.buffer); this.count = 0;
    this.old = new Float32Array(1024); this.prev = new Uint32Array(1024);
    // by step: events, work and expansions so far, cost so far, work of the step, moves so far
    this.steps = 0;
    this.end = new Uint32Array(256); this.total = new Float64Array(256); this.cost = new Float64Array(256);
    this.expansions = new Float64Array(256); this.work = new Float64Array(256); this.moveEnd = new Uint32Array(256);
    this.moves = new Uint32Array(256); this.moved = 0;
    this.lists = Object.fromEntries(LISTED.map(kind => [kind, { at: new Uint32Array(64), length: 0 }]));
    this.latest = Object.fromEntries(LATEST.map(kind => [kind, []]));
    this.pathAt = -1; this.pathStep = -1; this.editSteps = [];
    this.maxima = []; this.largest = 0;
    this.kinds = new Uint8Array(32); // kinds that have happened
    this.at = 0; this.position = 0; this.late = false;
    this.done = null; this.summary = null; this.why = null;
    this.points = null; // the path's own points, where they are not those of its states
  }

  append({ events, steps, done, summary, why, points }) {
    const fresh = new Uint32Array(events.slice().buffer), first = this.count, number = fresh.length >> 2;
    this.events = grown(this.events, (first + number) * 4);
    this.events.set(fresh, first * 4);
    this.values = new Float32Array(this.events.buffer);
    this.old = grown(this.old, first + number); this.prev = grown(this.prev, first + number);
    this.count += number;
    const table = new Float64Array(steps.slice().buffer), rows = table.length / 4;
    for (const name of ['end', 'total', 'cost', 'expansions', 'work', 'moveEnd']) this[name] = grown(this[name], this.steps + rows + 1);
    let event = this.steps ? this.end[this.steps - 1] : 0;
    for (let row = 0; row < rows; row++) {
      const step = this.steps, end = Math.min(this.count, table[row * 4]), before = step ? this.total[step - 1] : 0;
      for (; event < end; event++) this.enlist(event, step);
      this.end[step] = end;
      this.total[step] = table[row * 4 + 1]; this.cost[step] = table[row * 4 + 2]; this.expansions[step] = table[row * 4 + 3];
      this.moveEnd[step] = this.moved;
      this.noteWork(step, this.total[step] - before);
      this.steps++;
    }
    Object.assign(this, { done, summary, why: why || null, points: points?.byteLength ? new Float32Array(points.slice().buffer) : null });
  }
  enlist(event, step) {
    const kind = this.events[event * 4];
    this.kinds[kind & 31] = 1;
    if (this.latest[kind] && this.latest[kind].at(-1) !== step) this.latest[kind].push(step);
    const list = this.lists[kind];
    if (list) { list.at = grown(list.at, list.length + 1); list.at[list.length++] = event; }
    if (kind === K.MOVE) { this.moves = grown(this.moves, this.moved + 1); this.moves[this.moved++] = this.events[event * 4 + 1]; }
    else if (kind === K.PATH && this.pathAt < 0) { this.pathAt = event; this.pathStep = step; }
    else if (kind === K.EDIT && this.editSteps.at(-1) !== step) this.editSteps.push(step);
  }
  /** The pyramid of maxima, four to one: the strip asks for the peak of any range and never averages one away. */
  noteWork(step, work) {
    this.work[step] = work;
    if (work > this.largest) this.largest = work;
    for (let level = 0, k = step >> 2; level < 8; level++, k >>= 2) {
      const row = this.maxima[level] = grown(this.maxima[level] || new Float64Array(64), k + 1);
      if (work > row[k]) row[k] = work;
    }
  }
  /** The most work of a step in [from, to). */
  peak(from, to) {
    let most = 0;
    to = Math.min(to, this.steps);
    while (from < to) {
      let level = 0;
      while (level < 8 && (from & ((4 << (2 * level)) - 1)) === 0 && from + (4 << (2 * level)) <= to) level++;
      const value = level ? this.maxima[level - 1][from >> (2 * level)] : this.work[from];
      if (value > most) most = value;
      from += 1 << (2 * level);
    }
    return most;
  }
  /** The number of steps done once `units` of work are done. */
  stepAtWork(units) {
    let low = 0, high = this.steps;
    while (low < high) { const middle = (low + high) >> 1; if (this.total[middle] <= units) low = middle + 1; else high = middle; }
    return low;
  }
  workAt(step) { return step ? this.total[step - 1] : 0; }

  /** The page of a state; `this.slot` is its place there. Null for a number that is no state. */
  page(cell) {
    const { geometry } = this;
    let page;
    if (geometry.tiled) {
      const place = cell - geometry.base, y = Math.floor(place / geometry.stride), x = place - y * geometry.stride;
      if (y < 0 || y >= geometry.height || x >= geometry.width) return null;
      page = (y >> 8) * geometry.across + (x >> 8);
      this.slot = (y & 255) << 8 | x & 255;
    } else {
      if (cell >= geometry.count) return null;
      page = cell >>> 16;
      this.slot = cell & 65535;
    }
    return this.pages[page] ||= newPage();
  }

  /** An edge that was cut or joined, of which the state at its end knows nothing. */
  isOfEdge(o) { return this.events[o] === K.EDIT && this.events[o + 1] !== this.events[o + 2]; }

  apply(event) {
    const o = event * 4, kind = this.events[o];
    if (!KEEPS[kind] || this.isOfEdge(o)) return;
    const page = this.page(this.events[o + 1]);
    if (!page) return;
    const k = this.slot, value = this.values[o + 3];
    if (kind === K.EDIT) { const all = page.edited ||= new Uint8Array(65536); this.prev[event] = all[k]; all[k] = value; }
    switch (kind) {
      case K.LEARN: { const all = page.learned ||= new Float32Array(65536); this.old[event] = all[k]; all[k] = value; break; }
      case K.MOVE: (page.visits ||= new Uint16Array(65536))[k]++; break;
      case K.REGION: { const all = page.region ||= new Float32Array(65536); this.old[event] = all[k]; all[k] = value + 1; break; }
      case K.TREE: { const all = page.parent ||= new Uint32Array(65536); this.prev[event] = all[k]; all[k] = event + 1; break; }
      default: {
        const flags = page.flags[k];
        this.old[event] = flags;
        page.flags[k] = newFlags(kind, flags, this.geometry.tiled ? value : kind === K.CLOSE ? 0 : value);
        if (kind < K.JUMP) { const last = page.last ||= new Uint32Array(65536); this.prev[event] = last[k]; last[k] = event + 1; }
      }
    }
    touch(page, k);
  }
  undo(event) {
    const o = event * 4, kind = this.events[o];
    if (!KEEPS[kind] || this.isOfEdge(o)) return;
    const page = this.page(this.events[o + 1]);
    if (!page) return;
    const k = this.slot;
    if (kind === K.EDIT) page.edited[k] = this.prev[event];
    if (kind === K.LEARN) page.learned[k] = this.old[event];
    else if (kind === K.MOVE) page.visits[k]--;
    else if (kind === K.REGION) page.region[k] = this.old[event];
    else if (kind === K.TREE) page.parent[k] = this.prev[event];
    else { page.flags[k] = this.old[event]; if (kind < K.JUMP) page.last[k] = this.prev[event]; }
    touch(page, k);
  }

  /** Goes to the picture after `step` steps; `late` says that some of the way is left for the next frame. */
  seek(step) {
    step = Math.max(0, Math.min(this.steps, Math.floor(step)));
    const target = step ? this.end[step - 1] : 0, stop = performance.now() + SEEK_MS;
    let position = this.position;
    this.at = step; this.late = false;
    while (position !== target) {
      const slice = position < target ? Math.min(target, position + 2048) : Math.max(target, position - 2048);
      while (position < slice) this.apply(position++);
      while (position > slice) this.undo(--position);
      if (position !== target && performance.now() > stop) { this.late = true; break; }
    }
    this.position = position;
  }
  settle() { while (this.late) this.seek(this.at); }

  /** Events [from, to) of one step. */
  range(step) { return [step ? this.end[step - 1] : 0, this.end[step]]; }
  /** The newest step, of those done, that has events of `kind`; -1 where there is none. */
  latestStep(kind) {
    const list = this.latest[kind];
    let low = 0, high = list.length;
    while (low < high) { const middle = (low + high) >> 1; if (list[middle] < this.at) low = middle + 1; else high = middle; }
    return low ? list[low - 1] : -1;
  }
  /** The places in the list of `kind` that are done and among the newest `most`: [from, to). */
  listed(kind, most) {
    const list = this.lists[kind];
    let low = 0, high = list.length;
    while (low < high) { const middle = (low + high) >> 1; if (list.at[middle] < this.position) low = middle + 1; else high = middle; }
    return [Math.max(0, low - most), low, list.at];
  }
  /** What is known of one state, or null. */
  info(cell) {
    const page = this.page(cell);
    if (!page) return null;
    const k = this.slot, last = page.last ? page.last[k] : 0, o = (last - 1) * 4;
    return {
      flags: page.flags[k], learned: page.learned ? page.learned[k] : 0, visits: page.visits ? page.visits[k] : 0,
      region: page.region ? page.region[k] - 1 : -1,
      event: last ? { kind: this.events[o], from: this.events[o + 2], value: this.values[o + 3] } : null,
    };
  }
  /** The way by which the search reached a state. */
  chain(cell, most = 20000) {
    const cells = [cell];
    while (most--) {
      const info = this.info(cell);
      if (!info?.event || info.event.from === cell) break;
      cells.push(cell = info.event.from);
    }
    return cells;
  }
  dirtyAll() { for (const page of this.pages) if (page) { page.x0 = page.y0 = 0; page.x1 = page.y1 = 255; } }

  /** One number for the whole picture at this step: tests compare it after a trip to both ends. */
  hash() {
    let hash = 2166136261;
    const add = value => { hash = Math.imul(hash ^ value, 16777619) >>> 0; };
    this.pages.forEach((page, number) => {
      if (!page) return;
      for (let k = 0; k < 65536; k++) {
        const learned = page.learned ? page.learned[k] : 0, visits = page.visits ? page.visits[k] : 0;
        if (page.flags[k] || learned || visits) { add(number * 65536 + k); add(page.flags[k]); add(Math.round(learned * 1000)); add(visits); }
      }
    });
    return hash;
  }
}

function newFlags(kind, flags, value) {
  switch (kind) {
    case K.CLOSE: return (flags & ~(F.OPEN | F.BAND)) | F.CLOSED | ((Math.floor(value / BAND) & 1) << 7);
    case K.JUMP: return flags | F.JUMP;
    case K.SEE: return (flags & ~(F.SEEN_GROUND | F.SEEN_WALL)) | (value ? F.SEEN_WALL : F.SEEN_GROUND);
    case K.EDIT: return (flags & ~(F.EDIT_WALL | F.EDIT_GROUND)) | (value === 1 ? F.EDIT_WALL : F.EDIT_GROUND);
    default: return (flags & ~F.CLOSED) | F.OPEN;
  }
}
function touch(page, k) {
  const x = k & 255, y = k >> 8;
  if (x < page.x0) page.x0 = x;
  if (x > page.x1) page.x1 = x;
  if (y < page.y0) page.y0 = y;
  if (y > page.y1) page.y1 = y;
}
