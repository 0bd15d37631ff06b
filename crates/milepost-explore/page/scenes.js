// The scenes offered at first sight. The engine names them; one that names none gets scenes made from what its registry says of each
// algorithm, so the page knows no algorithm by name.
import { S, refusal } from './state.js';

const text = entry => `${entry.family}/${entry.name}`;
const plainOf = family => S.hello.algorithms.filter(entry => entry.family === family && !entry.needs?.length && !(S.world && refusal(entry, S.world)));

/** The algorithm that is shown when none is named: a planner with a frontier and an estimate to set. */
export function fallbackLane() {
  const planners = plainOf('planner'), shown = planners.filter(entry => entry.layers?.includes('open'));
  return text(shown.find(entry => entry.params?.some(param => param.key === 'h')) || shown[0] || planners[0] || S.hello.algorithms[0]);
}
/** Lanes that a comparison may add: the same family first, ones that are not there yet. */
export function nextLane(lanes) {
  const have = new Set(lanes.map(lane => text(lane.entry))), pool = plainOf(lanes[0].family);
  return text(pool.find(entry => !have.has(text(entry)) && entry.layers?.includes('jumps')) || pool.find(entry => !have.has(text(entry))) || lanes[0].entry);
}

export function scenes(hello) {
  if (hello.scenes?.length) return hello.scenes;
  const maps = hello.maps, map = k => maps[k % maps.length].key, list = [];
  const first = fallbackLane(), planners = plainOf('planner'), scouts = plainOf('scout'), agents = plainOf('agent');
  list.push({ title: 'A search at work', line: 'closed states, the open frontier, the path', map: map(0), lanes: [first] });
  if (scouts.length) list.push({ title: 'A scout in the dark', line: 'what it has seen and where it went', map: map(0), lanes: [text(scouts.find(e => e.layers?.includes('learned')) || scouts[0])] });
  if (planners.length > 2) list.push({ title: 'Three planners', line: 'the same cost for different work', map: map(1), lanes: [...new Set([text(planners[0]), first, nextLane([{ family: 'planner', entry: planners[0] }])])] });
  if (agents.length > 1) list.push({ title: 'Walk and learn', line: 'agents with the same work', map: map(1), lanes: agents.slice(0, 3).map(text) });
  if (scouts.length > 1) list.push({ title: 'Scouts race', line: 'step by step through the same dark', map: map(2), lock: 'steps', lanes: scouts.slice(0, 4).map(text) });
  return list;
}

export function titleOfMap(ref, answer) {
  const shipped = S.hello.maps.find(map => map.key === ref);
  if (shipped) return shipped.title;
  if (!ref.startsWith('gen:')) return answer.name;
  const [, kind, knobs = ''] = ref.split(':'), seed = /(?:^|,)seed=([^,]*)/.exec(knobs);
  const title = S.hello.generators.find(generator => generator.kind === kind)?.title || kind;
  return seed ? `${title}, seed ${seed[1]}` : title;
}
