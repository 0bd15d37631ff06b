// The one animation frame of the page. A hidden tab gets no frames from the browser and asks for none.
import { S } from './state.js';
import { palette } from './palette.js';
import { advancePlayback } from './player.js';
import { refreshProbe } from './probe.js';

export const timings = []; // script and draw calls of each frame, milliseconds
export const seekTimings = [];
const KEPT = 4000;
let asked = false;
export let timeline = null;
export const setTimeline = value => { timeline = value; };

export function note(list, value) {
  list.push(value);
  if (list.length > KEPT) list.shift();
}

/** Asks for a frame; `work` marks the work of all panes as changed, `ground` the ground as well. */
export function ask(work, ground) {
  for (const { pane } of S.lanes) if (pane) { pane.needWork ||= !!(work || ground); pane.needGround ||= !!ground; }
  if (asked || document.hidden) return;
  asked = true;
  requestAnimationFrame(frame);
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) ask(true, true); });

function frame(now) {
  asked = false;
  if (document.hidden || !S.world) return;
  const began = performance.now();
  let more = advancePlayback(now);
  for (const { tape, pane } of S.lanes) if (tape?.late) { tape.seek(tape.at); pane.needWork = true; more ||= tape.late; }
  for (const lane of S.lanes) if (lane.pane?.draw(palette(), overlay(lane))) more = true;
  timeline?.draw(palette().css);
  if (S.hover) refreshProbe();
  note(timings, performance.now() - began);
  if (more) ask();
}

/** What is drawn over a lane's work and is no part of its tape. */
export function overlay(lane) {
  const { hover } = S, idle = hover && S.tool === 'move' && !S.drag && !S.playing;
  const traceable = idle && hover.cell !== null && lane.family === 'planner' && lane.tape && lane.tape.geometry === S.world.geometry;
  return {
    start: S.start, goal: S.goal, best: S.best?.points, bestCost: S.best?.cost, live: S.live, drag: S.drag, hover,
    brush: S.tool === 'move' ? 1 : S.brush,
    cursor: hover && (S.tool !== 'move' || S.cursorKeys) ? hover : null,
    probe: S.probe && hover && S.probe.cell === hover.cell ? S.probe.of.get(lane) : null,
    chain: traceable ? lane.tape.chain(hover.cell) : null,
  };
}
