// The only file of the page that knows who answers: the loopback server (a WebSocket) or a worker round WebAssembly.
// Both carry the same bytes: u32 length of the header (little-endian), the header as JSON, then its blocks one after the other.

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** One message as bytes. `blocks` maps names to Uint8Arrays; the header names them in their order. */
export function encode(header, blocks = {}) {
  const names = Object.keys(blocks);
  if (names.length) header = { ...header, blocks: names.map(name => [name, blocks[name].byteLength]) };
  const text = encoder.encode(JSON.stringify(header));
  const size = names.reduce((sum, name) => sum + blocks[name].byteLength, 4 + text.byteLength);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, text.byteLength, true);
  bytes.set(text, 4);
  let at = 4 + text.byteLength;
  for (const name of names) { bytes.set(blocks[name], at); at += blocks[name].byteLength; }
  return bytes;
}

/** The object of a message, each block under its name as a Uint8Array. A name with dots ("nodes.positions") reaches inside. */
export function decode(buffer) {
  const view = new DataView(buffer), length = view.getUint32(0, true);
  const message = JSON.parse(decoder.decode(new Uint8Array(buffer, 4, length)));
  let at = 4 + length;
  for (const [name, size] of message.blocks || []) {
    const keys = name.split('.'), last = keys.pop();
    let into = message;
    for (const key of keys) into = into[key] ??= {};
    into[last] = new Uint8Array(buffer, at, size);
    at += size;
  }
  return message;
}

const GONE = {
  server: ['The engine has gone away.', 'Start “milepost explore” again and open the address that it prints.'],
  worker: ['The engine stopped.', 'Reload the page. If it stops again on the same map, the map may be too large for a browser.'],
};

/**
 * Connects to whichever engine serves this page. `call(op, args, {blocks, progress})` gives a promise of the answer;
 * a refusal rejects with an Error that has `say`, `hint` and what else the engine sent (`needs`).
 */
export function connect(onGone) {
  const waiting = new Map();
  let id = 0, gone = null;
  const kind = document.querySelector('meta[name=milepost-engine]')?.content === 'worker' ? 'worker' : 'server';
  const engine = { kind, sent: 0, received: 0, call };

  function call(op, args = {}, { blocks, progress } = {}) {
    if (gone) return Promise.reject(gone);
    return new Promise((resolve, reject) => {
      waiting.set(++id, { resolve, reject, progress });
      engine.sent++;
      wire.send(encode({ id, op, ...args }, blocks));
    });
  }

  function receive(buffer) {
    const message = decode(buffer), call = waiting.get(message.id);
    engine.received++;
    if (!call) return;
    if (message.progress) { call.progress?.(message.progress); return; }
    waiting.delete(message.id);
    if (message.ok) call.resolve(message);
    else call.reject(Object.assign(new Error(message.error?.say), message.error, { needs: message.needs }));
  }

  function fail(detail) {
    if (gone) return;
    const [say, hint] = GONE[kind];
    gone = Object.assign(new Error(say), { say, hint: detail ? `${hint} (${detail})` : hint, gone: true });
    for (const call of waiting.values()) call.reject(gone);
    waiting.clear();
    onGone?.(gone);
  }

  const wire = kind === 'worker' ? workerWire(receive, fail) : serverWire(receive, fail);
  return engine;
}

/** Messages sent before the socket is open wait in its queue. */
function serverWire(receive, fail) {
  const address = new URL('./ws', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  address.search = location.search;
  const socket = new WebSocket(address), queue = [];
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => { for (const bytes of queue.splice(0)) socket.send(bytes); };
  socket.onmessage = event => receive(event.data);
  socket.onclose = event => fail(event.reason);
  return { send: bytes => socket.readyState === WebSocket.OPEN ? socket.send(bytes) : queue.push(bytes) };
}

/** A page opened by a double click can't load a worker from file://, so the single file carries its text and its module. */
function workerWire(receive, fail) {
  const source = window.__milepostWorkerSource, module = window.__milepostModule;
  const worker = source
    ? new Worker(URL.createObjectURL(new Blob([fromBase64(source)], { type: 'text/javascript' })))
    : new Worker('worker.js');
  worker.onmessage = event => event.data.failed ? fail(event.data.failed) : receive(event.data);
  worker.onerror = event => fail(event.message);
  if (module) worker.postMessage({ module: fromBase64(module).buffer });
  else worker.postMessage({ address: new URL('milepost.wasm', location.href).href });
  return { send: bytes => worker.postMessage(bytes.buffer, [bytes.buffer]) };
}

const fromBase64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
