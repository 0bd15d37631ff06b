// window.milepost: what tests read. Nothing of the page uses it.
//
//   ready            true once the first scene is shown
//   busy             true while a lane's run is not done
//   lanes            [{tag, algorithm, family, step, steps, cost, done, events, work, expansions, largest, memory, bound, error}], at the playhead
//   hash(k = 0)      one number for the picture of lane k at its step (settled first)
//   moves(k = 0)     ids of the states that lane k's agent has walked, up to the end of its tape
//   step, cost, done of the active lane; best: cost of the optimum; t, total, playing, speed
//   start, goal      [x, y] in world units; screen(which): their place in the page's pixels, or that of a state by its number
//   way              states of the best path; edge: the ends of the last edge that was cut
//   map              {kind, title, ref, width, height, version}; cell(x, y): the letter of a grid's cell
//   errors           every message of trouble shown so far; sentence: the step in words
//   frames, seeks    milliseconds of script and draw calls of each frame and seek (the newest 4000); clear() empties both
//   sent, received   messages so far; kept: sizes of the last PNG, GIF, trace; link: the fragment of the scene now
//   rows             rows of the last batch; probe: what the engine last said of the state under the mouse, lane by lane
//   scene(n), open(fragment), choose('family/name'), add('family/name'), seek(t), play(on), tool(name), dragTo(which, x, y), file(name, bytes)
//                    do what the controls do; promises where the controls wait
import { S } from './state.js';
import { errors } from './dom.js';
import { seekTimings, timings } from './frame.js';
import { play, seek, total } from './player.js';
import { numbers } from './stats.js';
import { sentence } from './words.js';
import { setScene } from './runs.js';
import { addLane, showScene } from './panel.js';
import { choose } from './algorithms.js';
import { readLink, writeLink } from './link.js';
import { kept } from './share.js';
import { lastBatch } from './batch.js';
import { dragTo } from './pointer.js';
import { setTool } from './tools.js';
import { openFile } from './files.js';

function laneFacts(lane) {
  const { tape } = lane, now = numbers(lane);
  return { tag: lane.tag, algorithm: lane.info?.algorithm || lane.name, family: lane.family, step: tape?.at ?? 0, steps: tape?.steps ?? 0, cost: now.cost, done: tape?.done ?? null,
    events: tape?.count ?? 0, left: tape?.summary?.left ?? 0, edits: tape ? tape.editSteps.slice() : [], work: now.work, expansions: now.expansions, largest: now.largest, memory: now.memory, bound: lane.bound ?? null, layers: lane.info?.layers || [],
    error: lane.error ? { say: lane.error.say, needs: lane.error.needs || null } : null };
}
const active = () => laneFacts(S.lanes[S.active]);

export function installHooks() {
  window.milepost = {
    get ready() { return S.ready; },
    get busy() { return S.lanes.some(({ tape, error }) => !error && (!tape || !tape.done)); },
    get lanes() { return S.lanes.map(laneFacts); },
    hash(k = 0) { const { tape } = S.lanes[k]; tape.settle(); return tape.hash(); },
    moves(k = 0) { const { tape } = S.lanes[k]; return Array.from(tape.moves.subarray(0, tape.moved)); },
    get step() { return active().step; },
    get cost() { return active().cost; },
    get done() { return active().done; },
    get best() { return S.best?.cost ?? null; },
    get t() { return S.t; },
    get total() { return total(); },
    get playing() { return S.playing; },
    get speed() { return S.speed; },
    get start() { return [S.start.x, S.start.y]; },
    get goal() { return [S.goal.x, S.goal.y]; },
    screen(which) {
      const { pane, map } = S.lanes[S.active], box = map.getBoundingClientRect(), place = S[which] || S.world.place(which), [x, y] = pane.toScreen(place.x, place.y);
      return [box.left + x, box.top + y];
    },
    get map() { const { world } = S; return { kind: world.kind, title: S.title, ref: S.mapRef, width: world.width, height: world.height, free: world.free, indexes: world.indexes }; },
    cell(x, y) { return String.fromCharCode(S.world.letterAt(S.world.geometry.cell(x, y))); },
    errors, frames: timings, seeks: seekTimings,
    clear() { timings.length = seekTimings.length = errors.length = 0; },
    get sentence() { return sentence(S.lanes[S.active]); },
    get sent() { return S.engine.sent; },
    get received() { return S.engine.received; },
    kept,
    get link() { return writeLink(); },
    get rows() { return lastBatch.rows; },
    get way() { return [...S.best?.cells || []]; },
    get edge() { return S.world.cut?.size ? S.world.ends([...S.world.cut].at(-1)) : null; },
    get probe() { return S.probe && S.lanes.map(lane => S.probe.of.get(lane)?.values ?? null); },
    scene: showScene,
    open: fragment => setScene(readLink(fragment)),
    choose, add: addLane, seek, play, tool: setTool,
    dragTo: (which, x, y) => dragTo(which, x, y, true),
    file: (name, bytes) => openFile(new File([bytes], name)),
  };
}
