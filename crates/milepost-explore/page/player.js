// The playhead: where it is, how it moves, and what each lane shows there. In lock-step by work the axis is units of work, else steps.
import { S } from './state.js';
import { ask, note, seekTimings, timeline } from './frame.js';
import { $, $$, count, icon, tell, tenth } from './dom.js';
import { sentence } from './words.js';
import { stats, statsSoon } from './stats.js';

const WHOLE_TAPE_SECONDS = 9, SLOWEST = 1, FASTEST = 2e5;
let lastFrame = 0;

export const byWork = () => S.lanes.length > 1 && S.lock === 'work';
/** The length of the axis: that of the longest lane so far. */
export function total() {
  return Math.max(0, ...S.lanes.map(({ tape }) => !tape?.steps ? 0 : byWork() ? tape.workAt(tape.steps) : tape.steps));
}
const stepOf = tape => byWork() ? tape.stepAtWork(S.t) : Math.floor(S.t);

export function seek(t, force) {
  const began = performance.now();
  S.t = Math.max(0, Math.min(total(), t));
  for (const { tape, pane } of S.lanes) {
    if (!tape) continue;
    const step = stepOf(tape);
    if (step === tape.at && !tape.late && !force) continue;
    tape.seek(step);
    if (pane) pane.needWork = true;
  }
  note(seekTimings, performance.now() - began);
  timeline?.move(S.t, S.playing ? null : sentence(S.lanes[S.active]));
  statsSoon();
  ask();
}

export function setPlaying(on) {
  S.playing = on;
  lastFrame = 0;
  const button = $('#play');
  button.replaceChildren(icon(on ? 'pause' : 'play'));
  button.setAttribute('aria-label', on ? 'Pause' : 'Run');
}
export function play(on) {
  if (on && S.t >= total()) seek(0);
  S.want = 0;
  setPlaying(on);
  if (!on) { tell(sentence(S.lanes[S.active])); stats(); }
  ask();
}
export function stepBy(number) {
  play(false);
  const { tape } = S.lanes[S.active];
  if (!tape) return;
  if (byWork()) seek(tape.workAt(Math.max(0, Math.min(tape.steps, tape.at + Math.round(number)))));
  else seek(Math.floor(S.t) + Math.round(number));
  tell(sentence(S.lanes[S.active]));
}
export function toFirst() { play(false); seek(0); }
/** The end is where the runs end, which may be still to come. */
export function toLast() { play(false); S.want = Infinity; seek(total()); }

/** Moves the playhead by the time since the last frame; true while there is more to play. */
export function advancePlayback(now) {
  if (!S.playing) return false;
  const seconds = lastFrame ? Math.min(.1, (now - lastFrame) / 1000) : 1 / 60;
  lastFrame = now;
  const end = total(), unfinished = S.lanes.some(({ tape }) => tape && !tape.done);
  seek(Math.min(end, S.t + seconds * S.speed));
  if (S.t >= end && !unfinished) { play(false); return false; }
  return true;
}

export function setSpeed(speed, byUser = true) {
  S.speed = Math.max(SLOWEST, Math.min(FASTEST, speed));
  if (byUser) S.speedSet = true;
  const text = `${S.speed < 10 ? tenth(S.speed) : count(S.speed)} ${byWork() ? 'units/s' : 'steps/s'}`;
  $('#speed').value = Math.log(S.speed) / Math.log(FASTEST) * 100;
  $('#speed').setAttribute('aria-valuetext', text);
  $('#speedout').textContent = text;
}
export const speedOfSlider = value => FASTEST ** (value / 100);

let grownAsked = false;
/** The runs have become longer: the strip and the speed follow, at most once a frame. */
export function grown() {
  if (grownAsked) return;
  grownAsked = true;
  requestAnimationFrame(() => {
    grownAsked = false;
    const end = total();
    timeline.set(S.lanes.filter(lane => lane.tape), end, byWork() ? 'work' : 'steps');
    if (!S.speedSet) setSpeed(Math.max(6, end / WHOLE_TAPE_SECONDS), false);
    timeline.move(S.t);
    stats();
    ask();
  });
}

export function setLock(lock) {
  const part = total() ? S.t / total() : 0;
  S.lock = lock;
  for (const button of $$('[data-lock]')) button.setAttribute('aria-checked', button.dataset.lock === lock);
  S.speedSet = false;
  grown();
  seek(part * total(), true);
}
