import { maxDeclaredOutputBytes } from "../limits.ts";
import type { DeclaredPlugin } from "./declared-plugin.ts";

/** The code of a plugin that is written as data: it runs where every plugin's code runs, and may do what that may. */
export function declaredScript(plugin: DeclaredPlugin): string {
  return `const declared = ${JSON.stringify(plugin)};\nconst maxOutputBytes = ${maxDeclaredOutputBytes};\n${script}`;
}

const script = String.raw`
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

const lastOutputMs = 250;
const works = { bash: runBash, http: request, javascript: runCode, skill: readSkill };

export default {
  name: declared.name,
  version: declared.version,
  description: declared.description,
  dependencies: declared.dependencies,
  engine: declared.engine,
  initialize(context) {
    if (!holds(declared.conditions, context)) return;
    for (const { work, timeoutMs, conditions, ...tool } of declared.tools) {
      if (!holds(conditions, context)) continue;
      const run = works[work.kind];
      const execute = (args, call) => run(work, args, { ...call, config: context.config, timeoutMs });
      context.registerTool({ ...tool, execute });
    }
  },
};

function holds({ platform, files, programs, env }, { workspace }) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return (
    (platform.length === 0 || platform.includes(process.platform)) &&
    files.every((file) => existsSync(join(workspace.cwd, file))) &&
    programs.every((name) => folders.some((folder) => existsSync(join(folder, name)))) &&
    env.every((name) => (process.env[name] ?? "") !== "")
  );
}

function plain(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Arguments and configuration as variables: nothing of them becomes part of a script. */
function variables(args, config) {
  const named = (prefix, values) => Object.entries(values).map(([name, value]) => [prefix + name, plain(value)]);
  return Object.fromEntries([...named("ARG_", args), ...named("CONFIG_", config), ["ARGS", JSON.stringify(args)]]);
}

function runBash({ script }, args, { workspace, config, signal, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...variables(args, config) };
    const child = spawn("bash", ["-c", script], { cwd: workspace.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const pieces = [];
    let bytes = 0;
    const take = (piece) => {
      if (bytes < maxOutputBytes) pieces.push(piece.subarray(0, maxOutputBytes - bytes));
      bytes += piece.length;
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const stop = () => child.kill("SIGKILL");
    let isLate = false;
    const timer = setTimeout(() => ((isLate = true), stop()), timeoutMs);
    signal.addEventListener("abort", stop, { once: true });
    const end = (exitCode, killedBy) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      const output = Buffer.concat(pieces).toString("utf8") + (bytes > maxOutputBytes ? "\n[The output was cut.]" : "");
      if (exitCode === 0) return resolve({ content: output });
      const why = isLate ? "It took longer than " + timeoutMs / 1000 + " s." : "It ended with " + (killedBy ?? exitCode) + ".";
      resolve({ content: output + (output === "" || output.endsWith("\n") ? "" : "\n") + why, failed: true });
    };
    child.on("error", reject);
    // What it left running may hold its output open: the script itself is over, and what it wrote is there.
    const leave = () => (child.stdout.destroy(), child.stderr.destroy());
    child.on("exit", () => setTimeout(leave, lastOutputMs).unref());
    child.on("close", end);
  });
}

function filled(text, args, config, encode) {
  return text.replaceAll(/\{\{\s*(config\.)?(\w+)\s*\}\}/g, (_, ofConfig, name) => {
    const value = (ofConfig === undefined ? args : config)[name];
    return value === undefined ? "" : encode(plain(value));
  });
}

function filledValue(value, args, config) {
  if (typeof value === "string") {
    const [, whole] = /^\{\{\s*(\w+)\s*\}\}$/.exec(value) ?? [];
    return whole === undefined ? filled(value, args, config, String) : args[whole] ?? null;
  }
  if (Array.isArray(value)) return value.map((item) => filledValue(item, args, config));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filledValue(item, args, config)]));
}

async function request({ method, url, headers, body }, args, { config, signal, timeoutMs }) {
  const isText = typeof body === "string";
  const sent = body === null ? undefined : isText ? filled(body, args, config, String) : JSON.stringify(filledValue(body, args, config));
  const named = Object.entries(headers).map(([name, value]) => [name, filled(value, args, config, String)]);
  const address = filled(url, args, config, encodeURIComponent);
  // Such a step would lead to another address than the author's.
  if (/\/(?:\.|%2e){1,2}(?=[/?#]|$)/i.test(address)) throw new Error("an argument is . or .., which no path may have");
  const response = await fetch(address, {
    method,
    headers: { ...(body === null || isText ? {} : { "content-type": "application/json" }), ...Object.fromEntries(named) },
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    ...(sent === undefined ? {} : { body: sent }),
  });
  const pieces = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxOutputBytes) throw new Error("the answer has more than " + maxOutputBytes + " bytes");
    pieces.push(piece);
  }
  const content = Buffer.concat(pieces).toString("utf8");
  return response.ok ? { content } : { content: "It answered " + response.status + ".\n" + content, failed: true };
}

const AsyncFunction = (async () => undefined).constructor;

async function runCode({ code }, args, context) {
  const value = await new AsyncFunction("args", "context", code)(args, context);
  return { content: value === undefined ? "" : plain(value) };
}

async function readSkill({ text, file }) {
  return { content: text ?? (await readFile(new URL(file, import.meta.url), "utf8")) };
}
`;
