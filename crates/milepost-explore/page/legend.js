// A row for every colour that can appear, as a switch. Which layers there are, the runs say; how a layer looks is the page's affair.
import { S } from './state.js';
import { el, svg } from './dom.js';
import { ask } from './frame.js';

const ROWS = {
  open: ['Open', 'the frontier: not yet expanded'],
  closed: ['Closed', 'expanded; a band is 16 of cost'],
  jumps: ['Jump points', 'and jumps; amber while still open'],
  hops: ['Hops', 'from one stored point to the next'],
  hubs: ['Hubs', 'those of the state under the mouse'],
  boxes: ['Goal boxes', 'of the state under the mouse'],
  path: ['Path', 'the answer'],
  trail: ['Trail', 'walked once, 2 or 3 times, more'],
  learned: ['Learned h', 'how much farther than it seemed'],
  look: ['Last search', 'looked at before this move'],
  plan: ['Plan', 'where it means to go'],
  subgoals: ['Subgoals', 'one after another; amber is the newest'],
  records: ['Records tried', 'stored problems like this one'],
  tree: ['Tree', 'each state points to its parent'],
  regions: ['Regions', 'where it came into another piece'],
  seen: ['Seen', 'what it knows; the rest is fog'],
  truth: ['Hidden truth', 'walls it cannot know of yet'],
  best: ['Optimum', 'the shortest path there is'],
};

const colour = name => `var(--${name})`;
const field = (x, width, fill) => svg('rect', { x, width, height: 20, fill });
const way = (d, stroke, more = {}) => svg('path', { d, stroke, fill: 'none', 'stroke-linejoin': 'round', ...more });
const ground = () => field(0, 26, colour('floor'));
function ramp() {
  const blend = (part, to, from) => `color-mix(in srgb, ${colour(to)} ${Math.round(part * 100)}%, ${colour(from)})`;
  return Array.from({ length: 13 }, (_, k) => field(k * 2, 2.1, k < 6 ? blend(k / 6, 'heat1', 'heat0') : blend((k - 6) / 6, 'heat2', 'heat1')));
}
const SWATCHES = {
  open: () => [field(0, 26, colour('closed')), field(15, 11, colour('open'))],
  closed: () => [field(0, 13, colour('closed')), field(13, 13, colour('closed2'))],
  jumps: () => [ground(), way('M2 17L13 10H26', colour('jump'), { 'stroke-opacity': .5 }), svg('path', { d: 'M13 5l5 5-5 5-5-5z', fill: colour('jump') })],
  hops: () => [ground(), way('M3 16L13 6L24 12', colour('hop'), { 'stroke-width': 2 }), svg('circle', { cx: 13, cy: 6, r: 3, fill: colour('hop') })],
  hubs: () => [ground(), way('M3 16L19 7', colour('hop'), { 'stroke-opacity': .5 }), svg('path', { d: 'M19 3l4 4-4 4-4-4z', fill: colour('hop') })],
  boxes: () => [ground(), svg('rect', { x: 4, y: 4, width: 11, height: 9, fill: 'none', stroke: colour('box0'), 'stroke-width': 1.5 }), svg('rect', { x: 11, y: 8, width: 11, height: 9, fill: 'none', stroke: colour('box1'), 'stroke-width': 1.5 })],
  path: () => [ground(), way('M2 16L10 6H24', colour('path'), { 'stroke-width': 3.5 })],
  trail: () => [field(0, 9, colour('trail')), field(9, 9, colour('again')), field(18, 8, colour('often'))],
  learned: ramp,
  look: () => [ground(), field(6, 14, colour('lookfill'))],
  plan: () => [ground(), way('M2 15L12 6H25', colour('plan'), { 'stroke-width': 2, 'stroke-dasharray': '2 3' })],
  subgoals: () => [ground(), svg('rect', { x: 4, y: 6, width: 7, height: 7, fill: colour('halo'), stroke: colour('sub'), 'stroke-width': 1.8 }), svg('rect', { x: 15, y: 6, width: 8, height: 8, fill: colour('open'), stroke: colour('sub'), 'stroke-width': 1.8 })],
  records: () => [ground(), way('M2 15Q13 2 24 14', colour('record'), { 'stroke-width': 1.4, 'stroke-dasharray': '4 2' })],
  tree: () => [ground(), way('M3 17L9 10L15 12L23 4M9 10L6 3M15 12L22 16', colour('treeline'), { 'stroke-width': 1.4 })],
  regions: () => [ground(), svg('circle', { cx: 13, cy: 10, r: 7, fill: colour('open'), stroke: colour('sub'), 'stroke-width': 1.5 }), svg('path', { d: 'M11 7l2-1v8', stroke: '#18212c', 'stroke-width': 1.4, fill: 'none' })],
  seen: () => [field(0, 13, colour('floor')), field(13, 13, colour('fogfloor'))],
  truth: () => [field(0, 26, colour('fogfloor')), field(13, 13, colour('fogwall')), way('M13 0v20', colour('fogedge'), { 'stroke-width': 3 })],
  best: () => [ground(), way('M1 15L11 6H26', colour('best'), { 'stroke-width': 1.6, 'stroke-dasharray': '4 3' })],
  start: () => [svg('circle', { cx: 13, cy: 10, r: 8, fill: colour('start') }), svg('circle', { cx: 13, cy: 10, r: 3, fill: colour('halo') })],
  goal: () => [svg('path', { d: 'M13 20c-1-4-7-6-7-12a7 7 0 0 1 14 0c0 6-6 8-7 12z', fill: colour('goal') }), svg('circle', { cx: 13, cy: 8, r: 2.8, fill: colour('halo') })],
  agent: () => [svg('path', { d: 'M21 10L6 18l3.5-8L6 2z', fill: colour('agent') })],
  ground: () => [field(0, 8, colour('floor')), field(8, 3, colour('edge')), field(11, 5, colour('wall')), field(16, 5, colour('tree')), field(21, 5, colour('water'))],
  weights: () => [field(0, 9, colour('floor')), field(9, 9, colour('slow0')), field(18, 8, colour('slow1'))],
  shapes: () => [field(0, 26, colour('wall')), svg('path', { d: 'M4 3l9 2 8-2 2 12-11 3-9-4z', fill: colour('shapefill'), stroke: colour('shapeedge') })],
  crossed: () => [ground(), way('M3 10H23', colour('wall'), { 'stroke-width': 1.4, 'stroke-dasharray': '3 3' }), way('M9 6L17 14M17 6L9 14', colour('bad'), { 'stroke-width': 2 })],
  edges: () => [ground(), way('M3 15L11 5L23 8M11 5L17 17', colour('shape'), { 'stroke-width': 1.2 })],
};
const BARE = ['start', 'goal', 'agent'];
function swatch(name) {
  const picture = svg('svg', { viewBox: '0 0 26 20', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...(SWATCHES[name] || (() => [ground()]))());
  return el('span.sw' + (BARE.includes(name) ? '.none' : ''), {}, picture);
}

/** The layers that any lane can draw, in the order of the rows; unknown ones last, by their name. */
function layersNow() {
  const have = new Set(S.lanes.flatMap(lane => lane.info?.layers || lane.entry.layers || []));
  // what has happened is drawn, so it has its row, whether the run promised it or not
  for (const { tape } of S.lanes) if (tape) for (const { kind, layer } of S.hello.kinds) if (layer && tape.kinds[kind]) have.add(layer);
  if (have.has('seen')) have.add('truth');
  have.add('best');
  return [...Object.keys(ROWS).filter(layer => have.has(layer)), ...[...have].filter(layer => !ROWS[layer])];
}

export function legend() {
  const rows = layersNow().map(layer => {
    let [title, words] = ROWS[layer] || [layer, ''];
    if (layer === 'closed' && S.world.kind !== 'grid') words = 'expanded states';
    const row = el('label' + (S.layers[layer] ? '' : '.off'), {}, swatch(layer), el('span', {}, el('b', {}, title), el('span.d', {}, words)),
      el('input.switch', { type: 'checkbox', role: 'switch', checked: !!S.layers[layer], data: { layer, test: `layer-${layer}` }, onchange: event => {
        S.layers[layer] = event.target.checked;
        row.className = event.target.checked ? '' : 'off';
        for (const { tape } of S.lanes) tape?.dirtyAll();
        ask(true, true);
      } }));
    return el('li', {}, row);
  });
  const { kind, boxes } = S.world, weights = S.world.weights || S.undo.some(({ to }) => S.world.brushes?.[String.fromCharCode(to)] > 1);
  const fixed = [['start', 'Start', 'drag it'], ['goal', 'Goal', 'drag it']];
  if (S.lanes.some(lane => lane.family !== 'planner')) fixed.push(['agent', 'Agent', 'where it stands and heads']);
  if (kind === 'grid') fixed.push(['ground', 'Ground, wall, trees, water', 'walls have a line where ground is']);
  else if (kind === 'mesh' || boxes) fixed.push(['shapes', kind === 'mesh' ? 'Polygons' : 'Leaves', kind === 'mesh' ? 'ground in pieces; areas have tints' : 'free boxes of the tree']);
  else fixed.push(['edges', 'Edges', 'between states']);
  if (kind === 'graph' && S.undo.length) fixed.push(['crossed', 'Closed', 'nodes and edges that an edit took away']);
  if (weights) fixed.push(['weights', 'Weights', 'the darker, the dearer to cross']);
  return [
    el('ul.legend', {}, ...rows),
    el('ul.legend.plain', {}, ...fixed.map(([name, title, words]) => el('li', {}, el('label', {}, swatch(name), el('span', {}, el('b', {}, title), el('span.d', {}, words)))))),
  ];
}
