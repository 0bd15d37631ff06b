// What is known of the state under the mouse: at once from the tape, and after a moment of rest from the engine (goal boxes, hubs,
// labels, exact values).
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

function show(lane, cell, lines) {
  const { world } = S, { tape } = lane, own = tape?.geometry === world.geometry, info = own ? tape.info(cell) : null, facts = [];
  if (info?.event) facts.push(info.event.kind === KIND.CLOSE ? `closed, g ${tenth(info.event.value)}` : `open, f ${tenth(info.event.value)}`);
  if (info?.visits) facts.push(`visited ${info.visits === 1 ? 'once' : `${count(info.visits)} times`}`);
  if (info?.learned > 0) facts.push(`learned +${tenth(info.learned)}`);
  if (info?.region >= 0) facts.push(`region ${count(info.region)}`);
  if (lane.fogged) facts.push(info && info.flags & (FLAG.SEEN_GROUND | FLAG.SEEN_WALL) ? 'seen' : 'not seen');
  lane.probe.replaceChildren([world.placeName(world.place(cell)), world.groundName(cell), ...facts].join(' · '), ...(lines.length ? [el('p', {}, plain(lines.join(' · ')))] : []));
  lane.probe.hidden = false;
}

/** Only while nothing else is going on: a run that plays must not wait for questions of the mouse. */
async function askEngine(cell) {
  if (S.playing || S.drag || document.hidden || S.hover?.cell !== cell) return;
  const found = { cell, of: new Map() };
  try {
    for (const lane of S.lanes) {
      if (lane.run === null) continue;
      // the engine's run is at the end of the tape: what it says of the agent holds only where the playhead is there too
      const atEnd = lane.tape && lane.tape.at === lane.tape.steps;
      const answer = await call('probe', { map: S.world.id, cell, ...(atEnd ? { run: lane.run } : {}) });
      if (S.hover?.cell !== cell) return;
      found.of.set(lane, answer);
      show(lane, cell, (answer.lines || []).slice(1)); // the first says where the state is, as the page does
    }
    S.probe = found;
    ask(true);
  } catch { /* the run or the map has gone meanwhile: the next rest of the mouse asks again */ }
}
