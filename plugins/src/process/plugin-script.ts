import { pluginHeapMegabytes } from "../limits.ts";

/**
 * The code of a plugin's process, as text, because it runs where nothing of ours can be read. Its argument is the folder for the plugin's files. Its main thread passes lines on and
 * ends with Capstan; the plugin itself is in a worker, so that a plugin that never returns, leaves or fills its heap is seen.
 */
export function pluginScript(): string {
  return `${mainScript}\nstart(${JSON.stringify(workerScript)}, ${pluginHeapMegabytes});`;
}

const mainScript = String.raw`
const { Worker } = require("node:worker_threads");

function start(code, heapMegabytes) {
  const worker = new Worker(code, {
    eval: true,
    workerData: process.argv[1],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  worker.stdout.pipe(process.stderr, { end: false });
  worker.stderr.pipe(process.stderr, { end: false });
  let isOver = false;
  const over = (message) => {
    if (isOver) return;
    isOver = true;
    process.stdout.write(JSON.stringify({ type: "over", message }) + "\n", () => process.exit(0));
  };
  worker.on("message", (line) => {
    if (typeof line === "string" && !isOver) process.stdout.write(line.replaceAll("\n", " ") + "\n");
  });
  worker.on("error", (error) => over(String(error?.message ?? error)));
  worker.on("exit", (exitCode) => over("its code ended with exit code " + exitCode));
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) worker.postMessage(line);
  });
  process.stdin.on("end", () => process.exit(0));
  process.stdin.on("error", () => process.exit(0));
}
`;

const workerScript = String.raw`
const { parentPort, workerData } = require("node:worker_threads");
const { EventEmitter } = require("node:events");
const fs = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");
const port = parentPort;
const tools = new Map();
const services = new Map();
const calls = new Map();
let plugin;

Module._extensions[".ts"] = Module._extensions[".cts"] = Module._extensions[".mts"] = (module, file) =>
  module._compile(fs.readFileSync(file, "utf8"), file);

const post = (message) => port.postMessage(JSON.stringify(message));

async function load({ files, entry }) {
  // In the sandbox the folder of temporary files is its own, and goes with it.
  const folder = workerData ?? fs.mkdtempSync(join(require("node:os").tmpdir(), "plugin-"));
  for (const { path, base64 } of files) {
    const file = join(folder, path);
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, Buffer.from(base64, "base64"));
  }
  const file = join(folder, entry);
  const loaded = /\.[cm]?ts$/.test(entry) ? Module.createRequire(file)(file) : await import(pathToFileURL(file));
  plugin = loaded.default?.default ?? loaded.default;
  if (typeof plugin !== "object" || plugin === null) throw new Error("its default export is no object");
  const { name, version, description, dependencies = [], engine } = plugin;
  return { name, version, description, dependencies, engine };
}

async function initialize({ config, services: others, workspace }) {
  const context = contextOf(config, others, workspace);
  await plugin.beforeInitialize?.(context);
  await plugin.initialize(context);
  await plugin.afterInitialize?.(context);
  const described = [...tools.values()].map(({ name, description, inputSchema, outputSchema, effect }) => ({
    name,
    description,
    inputSchema,
    outputSchema,
    effect,
  }));
  return { tools: described, services: Object.fromEntries(services) };
}

function contextOf(config, others, workspace) {
  const registerTool = (tool) => {
    if (typeof tool?.execute !== "function") throw new Error("registerTool: the tool has no function execute");
    if (tools.has(tool.name)) throw new Error("registerTool: there are two tools named " + tool.name);
    tools.set(tool.name, tool);
  };
  const registerService = (name, value) => {
    if (JSON.stringify(value) === undefined) throw new Error("registerService: " + name + " is no data");
    services.set(name, value);
  };
  const getService = (name) => (services.has(name) ? services.get(name) : others[name]);
  const logged = (...words) => console.error(...words);
  return Object.freeze({
    workspace,
    config,
    registerTool,
    registerTools: (list) => {
      for (const tool of Array.isArray(list) ? list : Object.values(list)) registerTool(tool);
    },
    getTool: (name) => tools.get(name),
    getTools: () => [...tools.values()],
    registerService,
    getService,
    getConfig: (key) => (key === undefined ? config : config[key]),
    events: new EventEmitter(),
    logger: { debug: logged, info: logged, warn: logged, error: logged },
  });
}

async function call(id, { tool: name, args, context }) {
  const controller = new AbortController();
  calls.set(id, controller);
  try {
    const report = (text) => post({ type: "report", id, text: String(text) });
    const answer = await tools.get(name).execute(args, { ...context, signal: controller.signal, report });
    return typeof answer === "string" ? { content: answer } : answer;
  } finally {
    calls.delete(id);
  }
}

async function answer({ id, request }) {
  try {
    post({ type: "answer", id, value: (await perform(id, request)) ?? null });
  } catch (error) {
    post({ type: "failure", id, message: String(error?.message ?? error) });
  }
}

async function perform(id, request) {
  switch (request.type) {
    case "load":
      return await load(request);
    case "initialize":
      return await initialize(request);
    case "call":
      return await call(id, request);
    default:
      return await plugin?.destroy?.();
  }
}

port.on("message", (line) => {
  const message = JSON.parse(line);
  if (message.abort === true) calls.get(message.id)?.abort();
  else void answer(message);
});
`;
