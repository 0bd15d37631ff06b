// Colours as the canvas needs them, read from the style sheet's custom properties, and the theme itself.

const NAMES = ['floor', 'wall', 'edge', 'tree', 'treeedge', 'water', 'wateredge', 'swamp', 'slow0', 'slow1', 'shapefill', 'fogfloor', 'fogwall', 'fogedge',
  'closed', 'closed2', 'open', 'jump', 'trail', 'again', 'often', 'heat0', 'heat1', 'heat2'];
export const HEAT_LEVELS = 24;
export const SLOW_LEVELS = 6;
const REGION_HUES = 12;

const rgb = hex => { const n = parseInt(hex.slice(1, 7), 16); return [n >> 16, n >> 8 & 255, n & 255]; };
/** Canvas pixels as one number: bytes r, g, b, a in memory. */
const pixel = ([r, g, b], a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
const mix = (from, to, part) => from.map((value, k) => Math.round(value + (to[k] - value) * part));

/** Learned h on a fixed scale of logarithms, +1 to +128: a scale that followed the largest value would repaint all at every step. */
export const heatLevel = value => Math.min(HEAT_LEVELS - 1, Math.floor(Math.log2(1 + value) * 3.4));

/** Classes of ground, in the order of `ground` and `fog`. */
export const GROUND = { FLOOR: 0, WALL: 1, EDGE: 2, TREE: 3, TREE_EDGE: 4, WATER: 5, SWAMP: 6, WATER_EDGE: 7, SLOW: 8 };

function read() {
  const style = getComputedStyle(document.documentElement), memo = {}, colour = {};
  const css = name => memo[name] ??= style.getPropertyValue('--' + name).trim();
  for (const name of NAMES) colour[name] = rgb(css(name));
  const slow = Array.from({ length: SLOW_LEVELS }, (_, k) => mix(colour.slow0, colour.slow1, k / (SLOW_LEVELS - 1)));
  const classes = ['floor', 'wall', 'edge', 'tree', 'treeedge', 'water', 'swamp', 'wateredge'].map(name => colour[name]);
  const fogged = ['fogfloor', 'fogwall', 'fogedge', 'fogwall', 'fogedge', 'fogwall', 'fogfloor', 'fogedge'].map(name => colour[name]);
  const ramp = part => part < .5 ? mix(colour.heat0, colour.heat1, part * 2) : mix(colour.heat1, colour.heat2, part * 2 - 1);
  return {
    css,
    ground: [...classes, ...slow].map(value => pixel(value)),
    fog: [...fogged, ...slow.map(() => colour.fogfloor)].map(value => pixel(value)),
    heat: Uint32Array.from({ length: HEAT_LEVELS }, (_, k) => pixel(ramp(k / (HEAT_LEVELS - 1)))),
    region: Uint32Array.from({ length: REGION_HUES }, (_, k) => pixel(hue(k * 360 / REGION_HUES), 96)),
    pixel: Object.fromEntries(NAMES.map(name => [name, pixel(colour[name])])),
  };
}

/** A colour of middle lightness: regions are tints that lie under everything else. */
function hue(degrees) {
  const part = k => { const x = (k + degrees / 30) % 12; return Math.round(255 * (.55 - .35 * Math.max(-1, Math.min(x - 3, 9 - x, 1)))); };
  return [part(0), part(8), part(4)];
}
export const regionColour = (palette, number) => palette.region[(number * 5) % REGION_HUES];

let current = null;
export const palette = () => current ??= read();

export function storedTheme() {
  try { return localStorage.getItem('milepost-theme'); } catch { return null; }
}
/** Sets the theme: `mode` is the user's choice, or null for what was chosen before or what the system says. */
export function setTheme(mode) {
  if (mode) try { localStorage.setItem('milepost-theme', mode); } catch { /* a page from disk may have no storage */ }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mode = mode || storedTheme() || system;
  current = null;
}
export const themeNow = () => document.documentElement.dataset.mode;
