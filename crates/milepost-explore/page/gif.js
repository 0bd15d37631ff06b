// A GIF writer: one palette of up to 255 colours from some frames that are shown to it first, frames that hold only what changed (the rest is transparent),
// packed by the variable-width LZW of the format (GIF89a).

const CLEAR_AT = 4096, TRANSPARENT = 255;

class Bytes {
  constructor() { this.data = new Uint8Array(1 << 16); this.length = 0; }
  room(more) {
    if (this.length + more <= this.data.length) return;
    const larger = new Uint8Array(Math.max(this.length + more, this.data.length * 2));
    larger.set(this.data);
    this.data = larger;
  }
  byte(value) { this.room(1); this.data[this.length++] = value; }
  short(value) { this.byte(value & 255); this.byte(value >> 8 & 255); }
  text(value) { for (const letter of value) this.byte(letter.charCodeAt(0)); }
  all(list) { this.room(list.length); this.data.set(list, this.length); this.length += list.length; }
}

export class GifWriter {
  constructor(width, height) {
    Object.assign(this, { width, height, out: new Bytes(), seen: new Map(), palette: null, last: null, index: new Int16Array(1 << 15).fill(-1) });
  }

  /** Adds one frame of RGBA bytes, shown for `hundredths` of a second. */
  add(rgba, hundredths) {
    const number = this.width * this.height, pixels = new Uint8Array(number), fresh = new Uint32Array(number);
    if (!this.palette) { this.sample(rgba); this.choosePalette(); this.begin(); }
    let x0 = this.width, y0 = this.height, x1 = -1, y1 = -1;
    for (let k = 0; k < number; k++) {
      const o = k * 4, key = (rgba[o] >> 3) << 10 | (rgba[o + 1] >> 3) << 5 | rgba[o + 2] >> 3;
      fresh[k] = key;
      if (this.last && this.last[k] === key) { pixels[k] = TRANSPARENT; continue; }
      let colour = this.index[key];
      if (colour < 0) colour = this.index[key] = this.nearest(rgba[o], rgba[o + 1], rgba[o + 2]);
      pixels[k] = colour;
      const x = k % this.width, y = (k - x) / this.width;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
    this.last = fresh;
    if (x1 < 0) x0 = y0 = x1 = y1 = 0; // nothing has changed: one transparent pixel keeps the time
    this.frame(pixels, x0, y0, x1 - x0 + 1, y1 - y0 + 1, hundredths);
  }
  finish() {
    this.out.byte(0x3b);
    return this.out.data.slice(0, this.out.length);
  }

  /** Counts the colours of a frame that will come. */
  sample(rgba) { for (let o = 0; o < rgba.length; o += 4) this.count(rgba[o], rgba[o + 1], rgba[o + 2], 1); }
  count(r, g, b, weight) {
    const key = (r >> 3) << 10 | (g >> 3) << 5 | b >> 3, entry = this.seen.get(key);
    if (entry) entry.weight += weight;
    else this.seen.set(key, { r, g, b, weight });
  }
  /** The page's own colours, then those that occur most. */
  choosePalette() {
    for (const [r, g, b] of pageColours()) this.count(r, g, b, 1e9);
    this.palette = [...this.seen.values()].sort((a, b) => b.weight - a.weight).slice(0, TRANSPARENT);
    while (this.palette.length < TRANSPARENT) this.palette.push({ r: 0, g: 0, b: 0 });
  }
  nearest(r, g, b) {
    let best = 0, least = Infinity;
    this.palette.forEach((colour, k) => {
      const distance = 2 * (colour.r - r) ** 2 + 4 * (colour.g - g) ** 2 + 3 * (colour.b - b) ** 2;
      if (distance < least) { least = distance; best = k; }
    });
    return best;
  }

  begin() {
    const { out } = this;
    out.text('GIF89a');
    out.short(this.width);
    out.short(this.height);
    out.all([0xf7, 0, 0]); // a palette of 256 colours, 8 bits each
    for (const { r, g, b } of this.palette) out.all([r, g, b]);
    out.all([0, 0, 0]); // the transparent one
    out.all([0x21, 0xff, 11]);
    out.text('NETSCAPE2.0');
    out.all([3, 1, 0, 0, 0]); // for ever
  }
  frame(pixels, x, y, width, height, hundredths) {
    const { out } = this;
    out.all([0x21, 0xf9, 4, 0x05]); // keep what is there, with a transparent colour
    out.short(hundredths);
    out.all([TRANSPARENT, 0, 0x2c]);
    for (const value of [x, y, width, height]) out.short(value);
    out.byte(0);
    const part = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) part.set(pixels.subarray((y + row) * this.width + x, (y + row) * this.width + x + width), row * width);
    lzw(out, part);
  }
}

/** Codes of 9 to 12 bits, in blocks of at most 255 bytes; the table starts anew when it is full. */
function lzw(out, pixels) {
  const clear = 256, end = 257, table = new Int32Array(CLEAR_AT * 256), block = new Uint8Array(255);
  let next = 258, size = 9, bits = 0, number = 0, filled = 0;
  const flush = () => { if (filled) { out.byte(filled); out.all(block.subarray(0, filled)); filled = 0; } };
  const put = code => {
    bits |= code << number;
    number += size;
    while (number >= 8) {
      block[filled++] = bits & 255;
      if (filled === 255) flush();
      bits >>>= 8;
      number -= 8;
    }
  };
  out.byte(8);
  put(clear);
  let prefix = pixels[0];
  for (let k = 1; k < pixels.length; k++) {
    const value = pixels[k], known = table[prefix << 8 | value];
    if (known) { prefix = known; continue; }
    put(prefix);
    if (next < CLEAR_AT) {
      if (next === 1 << size && size < 12) size++;
      table[prefix << 8 | value] = next++;
    } else {
      put(clear);
      table.fill(0);
      next = 258;
      size = 9;
    }
    prefix = value;
  }
  put(prefix);
  if (next === 1 << size && size < 12) size++;
  put(end);
  if (number) { size = 8 - number; put(0); }
  flush();
  out.byte(0);
}

function pageColours() {
  const style = getComputedStyle(document.documentElement);
  return ['floor', 'wall', 'edge', 'closed', 'closed2', 'open', 'jump', 'path', 'halo', 'trail', 'again', 'often', 'heat0', 'heat1', 'heat2', 'look', 'plan',
    'start', 'goal', 'agent', 'best', 'tail', 'fogfloor', 'fogwall', 'tree', 'treeedge', 'hop', 'ink', 'panel']
    .map(name => parseInt(style.getPropertyValue('--' + name).trim().slice(1, 7), 16)).filter(value => !isNaN(value))
    .map(value => [value >> 16, value >> 8 & 255, value & 255]);
}
