// What is known of the state under the mouse: at once from the tape, and after a moment of rest from the engine, at the step that is
// shown: g, h and f, what was learned, goal boxes, hubs.
import { S, call } from './state.js';
import { count, el, plain, tell, tenth } from './dom.js';
import { ask } from './frame.js';
import { FLAG, KIND } from './tape.js';

const REST_MS = 120;
let timer = 0;

export function hideProbe() {
  S.hover = null;
  S.probe = null;
  clearTimeout(timer);
  for (const { probe } of S.lanes) if (probe) probe.hidden = true;
  ask(true);
}

export function hoverAt(lane, x, y, speak = false) {
  const { world } = S, cell = world.cellAt(x, y);
  if (cell === null && world.kind === 'grid') { hideProbe(); return; }
  const moved = S.hover?.cell !== cell;
  S.hover = world.kind === 'grid' ? world.place(cell) : world.kind === 'mesh' || cell === null ? { cell, x, y } : world.place(cell);
  if (cell === null) { for (const { probe } of S.lanes) probe.hidden = true; ask(true); return; }
  if (moved || speak) {
    S.probe = null;
    for (const other of S.lanes) show(other, cell, []);
    if (speak) tell(lane.probe.textContent);
    clearTimeout(timer);
    timer = setTimeout(() => askEngine(cell), REST_MS);
  }
  ask(true);
}

/** The playhead has moved under a mouse that rests. */
export function refreshProbe() {
  const cell = S.hover?.cell;
  if (S.playing || cell === null || cell === undefined || S.lanes.every(({ tape, probedAt }) => (tape?.at ?? null) === probedAt)) return;
  for (const lane of S.lanes) show(lane, cell, []);
  clearTimeout(timer);
  timer = setTimeout(() => askEngine(cell), REST_MS);
}

function show(lane, cell, lines) {
  lane.probedAt = lane.tape?.at ?? null;
  const { world } = S, { tape } = lane, own = tape?.geometry === world.geometry, info = own ? tape.info(cell) : null, facts = [];
  // the engine's lines say more, once they are there
  if (info?.event && !lines.length) facts.push(info.event.kind === KIND.CLOSE ? `closed, g ${tenth(info.event.value)}` : `open, f ${tenth(info.event.value)}`);
  if (info?.visits) facts.push(`visited ${info.visits === 1 ? 'once' : `${count(info.visits)} times`}`);
  if (info?.learned > 0 && !lines.length) facts.push(`learned +${tenth(info.learned)}`);
  if (info?.region >= 0) facts.push(`region ${count(info.region)}`);
  if (lane.fogged && !lines.length) facts.push(info && info.flags & (FLAG.SEEN_GROUND | FLAG.SEEN_WALL) ? 'seen' : 'not seen');
  lane.probe.replaceChildren([world.placeName(world.place(cell)), world.groundName(cell), ...facts].join(' · '), ...(lines.length ? [el('p', {}, plain(lines.join(' · ')))] : []));
  lane.probe.hidden = false;
}

/** Whether an answer would still be shown: the engine goes as far as the step that was asked about, which may take a while. */
const wanted = (cell, lane, { run, at }) => S.hover?.cell === cell && !S.playing && !S.drag && !document.hidden && lane.run === run && lane.tape?.at === at;

/** Only while nothing else is going on: a run that plays must not wait for questions of the mouse. */
async function askEngine(cell) {
  if (S.playing || S.drag || document.hidden || S.hover?.cell !== cell) return;
  const found = { cell, of: new Map() }, { x, y } = S.hover, { world } = S;
  try {
    for (const lane of S.lanes) {
      if (lane.run === null || !lane.tape) continue;
      const { tape } = lane, question = { map: world.id, cell, run: lane.run, at: tape.at };
      // where the search has nodes of its own, the one nearest to the mouse is asked about
      if (tape.geometry !== world.geometry) question.node = tape.geometry.nearest(x, y) ?? undefined;
      let answer;
      do answer = await call('probe', question); while (answer.late && wanted(cell, lane, question));
      if (!wanted(cell, lane, question)) return;
      found.of.set(lane, answer);
      show(lane, cell, (answer.lines || []).slice(1)); // the first says where the state is, as the page does
    }
    S.probe = found;
    ask(true);
  } catch { /* the run or the map has gone meanwhile: the next rest of the mouse asks again */ }
}
