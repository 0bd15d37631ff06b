// What the page shows now, shared by all modules, and how a lane (an algorithm with its parameters) is written as text.

export const S = {
  engine: null, hello: null,
  world: null, mapRef: '', title: '', // mapRef names the map as links do
  start: null, goal: null, // places: {cell, x, y}
  lanes: [], active: 0, lock: 'work',
  t: 0, // where the playhead is: steps, or units of work in lock-step by work
  want: 0, // where it should go once the runs are long enough
  playing: false, speed: 60, speedSet: false,
  tool: 'move', brush: 3, letter: null,
  layers: Object.fromEntries(['open', 'closed', 'jumps', 'path', 'plan', 'trail', 'learned', 'look', 'seen', 'truth', 'tree', 'subgoals',
    'records', 'regions', 'hops', 'hubs', 'boxes', 'best'].map(layer => [layer, true])),
  camera: { x: 0, y: 0, z: 1 }, autoFit: true,
  undo: [], redo: [],
  best: null, // the optimum: {cost, points}
  live: null, // the path under a dragged marker
  drag: null, hover: null, cursorKeys: false, probe: null,
  scene: 0, scenes: [],
  generation: 0, // counts runs of the scene: answers to an older one are thrown away
  ready: false,
};
export const call = (op, args, more) => S.engine.call(op, args, more);
export const entryOf = (family, name) => S.hello.algorithms.find(entry => entry.family === family && entry.name === name);

/** How far a scout sees: the engine takes it beside the parameters, so it is no parameter of any one algorithm. */
const SIGHT = { key: 'sight', name: 'Sight', kind: 'number', min: 1, max: 64, step: 1, default: '8', say: 'how far it sees, in cells' };
export function paramsOf(entry) {
  const own = entry.params || [];
  return entry.family === 'scout' && !own.some(param => param.key === 'sight') ? [...own, SIGHT] : own;
}

/** A lane from its text, "family/name:value:key=value": values without a key belong to the parameters in their order. */
export function laneFrom(text) {
  const [head, ...parts] = text.split(':'), [family, name] = head.split('/'), entry = entryOf(family, name);
  if (!entry) throw Object.assign(new Error(), { say: `There is no ${family || 'algorithm'} “${name || text}” here.`, hint: 'Another is shown instead.' });
  const known = paramsOf(entry), params = Object.fromEntries(known.map(param => [param.key, param.default ?? '']));
  let position = 0;
  for (const part of parts) {
    const cut = part.indexOf('='), key = cut < 0 ? known[position++]?.key : part.slice(0, cut);
    if (key in params) params[key] = decodeURIComponent(part.slice(cut + 1));
  }
  return { family, name, entry, params, tag: 'A', tape: null, run: null, info: null, error: null, fogged: (entry.layers || []).includes('seen') };
}
export function laneText(lane) {
  const parts = paramsOf(lane.entry).filter(param => lane.params[param.key] !== '' && lane.params[param.key] !== (param.default ?? ''));
  return `${lane.family}/${lane.name}` + parts.map(param => `:${param.key}=${encodeURIComponent(lane.params[param.key])}`).join('');
}
/** What `run` is asked with. */
export function laneWire(lane) {
  const { sight, ...params } = lane.params, wire = { algorithm: lane.name, family: lane.family, params: {} };
  const defaults = Object.fromEntries((lane.entry.params || []).map(param => [param.key, param.default ?? '']));
  for (const [key, value] of Object.entries(params)) if (value !== '' && value !== defaults[key]) wire.params[key] = String(value);
  if (sight !== undefined && sight !== '') {
    wire.sight = isNaN(sight) ? sight : Number(sight);
  }
  return wire;
}
/** The title, with what differs where the same algorithm is there twice. */
export function laneTitle(lane) {
  const twins = S.lanes.filter(other => other.entry === lane.entry);
  if (twins.length < 2) return lane.entry.title;
  const differ = Object.keys(lane.params).filter(key => twins.some(twin => twin.params[key] !== lane.params[key]));
  const value = key => lane.params[key] === 'inf' ? '∞' : lane.params[key];
  return [lane.entry.title, ...differ.map(key => (differ.length > 1 ? `${key} ` : '') + value(key))].join(' ');
}
/** Why an algorithm can't run on this map, or null. */
export function refusal(entry, world) {
  const space = world.kind === 'tree' ? 'graph' : world.kind;
  if (entry.spaces?.length && !entry.spaces.includes(space) && !entry.spaces.includes(world.kind)) return `not on ${PLURAL[world.kind]}`;
  if (world.kind === 'grid' && world.rule && entry.rules?.length && !entry.rules.includes(world.rule)) return `not for ${world.rule} moves`;
  return null;
}
const PLURAL = { grid: 'grids', graph: 'graphs', tree: 'trees', mesh: 'meshes' };

export const GROUPS = {
  planner: ['Planners', 'see the whole map, answer with a whole path'],
  agent: ['Agents that know the map', 'one move at a time, bounded work'],
  scout: ['Scouts', 'see their surroundings only'],
};
