import type { SeededRandom } from "@capstan/testkit";
import { type EffectIds, effectLog, type PlannedCall } from "./script.ts";

/** Waiting before and after a command's effect, in ms: long enough to be hit, short enough for thousands of runs. */
const longestWaitMs = 120;

/** The line in front of which edits put theirs: edited twice, it shows. */
export const lastLine = "THE END";

export function read(path: string): PlannedCall {
  return { call: { name: "read_file", arguments: { path } }, effects: [] };
}

export function find(pattern: string): PlannedCall {
  return { call: { name: "glob", arguments: { pattern } }, effects: [] };
}

export function search(pattern: string): PlannedCall {
  return { call: { name: "search", arguments: { pattern } }, effects: [] };
}

/** Appends its line to the log, with a wait before and after, and output around. */
export function command(ids: EffectIds, random: SeededRandom): PlannedCall {
  const id = ids.next();
  const script = `echo begin; sleep ${wait(random)}; echo ${id} >> ${effectLog}; echo said-${id}; sleep ${wait(random)}; echo over`;
  return {
    call: { name: "run_command", arguments: { command: script } },
    effects: [{ id, files: [effectLog], kind: "main" }],
  };
}

/** Leaves a process in the background that has an effect of its own. */
export function commandWithChild(ids: EffectIds, random: SeededRandom): PlannedCall {
  const [id, side] = [ids.next(), ids.next()];
  const background = `(sleep ${wait(random)}; echo ${side} >> ${effectLog}; sleep 5) >/dev/null 2>&1 &`;
  const script = `${background} sleep ${wait(random)}; echo ${id} >> ${effectLog}; echo said-${id}; sleep 0.3`;
  return {
    call: { name: "run_command", arguments: { command: script } },
    effects: [
      { id, files: [effectLog], kind: "main" },
      { id: side, files: [effectLog], kind: "side" },
    ],
  };
}

/** Starts a command in the background that has an effect and then never ends by itself. */
export function startInBackground(ids: EffectIds, random: SeededRandom): PlannedCall {
  const id = ids.next();
  const script = `echo begin; sleep ${wait(random)}; echo ${id} >> ${effectLog}; echo said-${id}; sleep 600`;
  return {
    call: { name: "run_command", arguments: { command: script, background: true } },
    effects: [{ id, files: [effectLog], kind: "side" }],
  };
}

/** Reads what the first background command of the session has written. */
export function readBackground(): PlannedCall {
  return { call: { name: "command_output", arguments: { id: "background-1", wait_seconds: 0.1 } }, effects: [] };
}

export function stopBackground(): PlannedCall {
  return { call: { name: "command_output", arguments: { id: "background-1", stop: true } }, effects: [] };
}

/** Hands the next answers to an agent. */
export function spawn(agent: string): PlannedCall {
  return { call: { name: "spawn_agent", arguments: { agent, prompt: "Do your part." } }, effects: [] };
}

/** Has its effect, then fails: an answer to the model, and done all the same. */
export function failingCommand(ids: EffectIds): PlannedCall {
  const id = ids.next();
  return {
    call: { name: "run_command", arguments: { command: `echo ${id} >> ${effectLog}; echo no >&2; exit 3` } },
    effects: [{ id, files: [effectLog], kind: "main" }],
  };
}

export function edit(ids: EffectIds, path: string): PlannedCall {
  const id = ids.next();
  return {
    call: { name: "edit_file", arguments: { path, old_string: lastLine, new_string: `${id}\n${lastLine}` } },
    effects: [{ id, files: [path], kind: "main" }],
  };
}

export function write(ids: EffectIds, path: string): PlannedCall {
  const id = ids.next();
  return {
    call: { name: "write_file", arguments: { path, content: `${id}\n${lastLine}\n` } },
    effects: [{ id, files: [path], kind: "main" }],
  };
}

/** One patch over several files, all or nothing; those that are new are made. */
export function patch(ids: EffectIds, paths: readonly string[], created: readonly string[]): PlannedCall {
  const id = ids.next();
  const changes = paths.flatMap((path) => [`F ${path}`, "P", lastLine, ".", id, "."]);
  const additions = created.flatMap((path) => [`F ${path}`, "T", id, lastLine, "."]);
  return {
    call: { name: "apply_patch", arguments: { patch: ["LP1", ...changes, ...additions, "END", ""].join("\n") } },
    effects: [{ id, files: [...paths, ...created], kind: "main" }],
  };
}

/** Seconds. */
export function wait(random: SeededRandom): string {
  return (random.below(longestWaitMs) / 1000).toFixed(3);
}
