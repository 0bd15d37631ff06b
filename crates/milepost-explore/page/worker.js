// A classic worker round the WebAssembly module: the first message names the module (its address or its bytes), each later one
// is a request as bytes. The module's answers go back as they are told, so progress arrives while a build is at work.
'use strict';
let exported = null;
const early = []; // requests that came before the module was ready

const env = {
  tell(at, length) {
    const bytes = new Uint8Array(exported.memory.buffer, at, length).slice();
    self.postMessage(bytes.buffer, [bytes.buffer]);
    return 1;
  },
  now: () => performance.now(),
};

function answer(buffer) {
  try {
    const at = exported.alloc(buffer.byteLength);
    new Uint8Array(exported.memory.buffer, at, buffer.byteLength).set(new Uint8Array(buffer));
    exported.answer(at, buffer.byteLength);
  } catch (error) {
    self.postMessage({ failed: String(error && error.message || error) });
  }
}

async function load({ module, address }) {
  try {
    const bytes = module || await (await fetch(address)).arrayBuffer();
    exported = (await WebAssembly.instantiate(bytes, { env })).instance.exports;
    for (const buffer of early.splice(0)) answer(buffer);
  } catch (error) {
    self.postMessage({ failed: String(error && error.message || error) });
  }
}

self.onmessage = ({ data }) => {
  if (!(data instanceof ArrayBuffer)) load(data);
  else if (exported) answer(data);
  else early.push(data);
};
