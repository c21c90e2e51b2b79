import { runInNewContext } from "node:vm";
import type { ToolResult, ToolRunContext } from "@capstan/ports";
import { type ActionDraft, type JsonObject, ToolRefusal } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import { outputRoom } from "../output-room.ts";
import { reservedBytes } from "../run-command/limits.ts";
import { agentLines, agentOutput } from "../agents/agent-output.ts";
import type { ToolCode } from "../tool-entry.ts";
import { type BackgroundCommands, lineOf } from "./background-commands.ts";
import { filterMs, maxFilterLength, maxWaitSeconds, shownCommandLength, usualWaitSeconds } from "./limits.ts";
import { type BackgroundNote, logPath } from "./note.ts";
import { type LogPart, readPart } from "./output-log.ts";

/** `command_output`: what a background command has written since it was read last, and how it stands; without an id, all of them. */
export function createCommandOutputTool(options: ToolsOptions): ToolCode {
  return {
    prepare: async (args) => await Promise.resolve(draftOf("command_output", args)),
    run: async ({ arguments: args }, _staged, context) => {
      const ofAgent = await agentOutput(args, context, options.agents?.background);
      if (ofAgent !== null) return ofAgent;
      const found = await findCommand(args, context, options);
      if (found.type === "none") return found.result;
      if (args["stop"] === true) return await stop(found);
      return await read({ ...found, args, context, options });
    },
  };
}

/** `stop_command`: ends a background command. */
export function createStopCommandTool(options: ToolsOptions): ToolCode {
  return {
    prepare: async (args) => await Promise.resolve(draftOf("stop_command", args)),
    run: async ({ arguments: args }, _staged, context) => {
      const ofAgent = await agentOutput({ ...args, stop: true }, context, options.agents?.background);
      if (ofAgent !== null) return ofAgent;
      const found = await findCommand(args, context, options);
      return found.type === "none" ? found.result : await stop(found);
    },
  };
}

async function stop({ commands, session, note }: FoundCommand): Promise<ToolResult> {
  const running = commands.running(session, note.id);
  running?.stop("stopped");
  await running?.over;
  const now = (await commands.list(session)).find(({ id }) => id === note.id) ?? note;
  commands.reported(session, now);
  const more = running === undefined ? "It had ended before." : "command_output reads the rest of what it wrote.";
  return { status: "ok", content: `${lineOf(now)}. ${more}`, details: { background: note.id } };
}

/** It only touches what the session itself has started: nobody is asked. */
function draftOf(tool: string, args: JsonObject): ActionDraft {
  const { id, filter } = args;
  const words = [id, filter].filter((word) => typeof word === "string");
  const summary = inertText([tool, ...words].join(" "), shownCommandLength);
  checkFilter(args["filter"]);
  return { tool, arguments: args, effect: "read", risk: "low", paths: [], summary };
}

/** @throws {ToolRefusal} `tool.bad-arguments` */
function checkFilter(filter: unknown): void {
  if (filter === undefined) return;
  try {
    if (typeof filter !== "string" || filter.length > maxFilterLength) throw new Error("it is too long");
    // oxlint-disable-next-line no-new -- only whether it is one
    new RegExp(filter);
  } catch (error) {
    const text = `filter must be a regular expression of at most ${maxFilterLength} characters: ${String(error)}`;
    throw new ToolRefusal("rejected", "tool.bad-arguments", text, { cause: error });
  }
}

interface FoundCommand {
  readonly type: "found";
  readonly commands: BackgroundCommands;
  readonly session: string;
  readonly note: BackgroundNote;
}

async function findCommand(
  { id }: JsonObject,
  { sessionId }: ToolRunContext,
  { background, agents }: ToolsOptions,
): Promise<FoundCommand | { readonly type: "none"; readonly result: ToolResult }> {
  const notes = background === undefined || sessionId === null ? [] : await background.list(sessionId);
  const note = notes.find((one) => one.id === id);
  if (note !== undefined && background !== undefined && sessionId !== null)
    return { type: "found", commands: background, session: sessionId, note };
  const working = sessionId === null ? [] : await agentLines(sessionId, agents?.background);
  const all =
    notes.length + working.length === 0
      ? "Nothing was started in the background in this session."
      : ["In the background:", ...[...notes.map(lineOf), ...working].map((line) => `- ${line}`)].join("\n");
  if (id === undefined) return { type: "none", result: { status: "ok", content: all } };
  const content = `There is no background command ${JSON.stringify(id).slice(0, shownCommandLength)}. ${all}`;
  return { type: "none", result: { status: "failed", code: "tool.failed", content } };
}

interface Reading extends Omit<FoundCommand, "type"> {
  readonly args: JsonObject;
  readonly context: ToolRunContext;
  readonly options: ToolsOptions;
}

async function read(reading: Reading): Promise<ToolResult> {
  const { commands, session, note, args, context, options } = reading;
  const limitBytes = outputRoom(options.limits.outputBytes, reservedBytes);
  const seconds = typeof args["wait_seconds"] === "number" ? args["wait_seconds"] : usualWaitSeconds;
  const timeOver = AbortSignal.timeout(Math.min(Math.max(seconds, 0), maxWaitSeconds) * 1000);
  const over = AbortSignal.any([timeOver, context.signal]);
  let skipped = 0;
  let text = "";
  for (;;) {
    const isRunning = commands.running(session, note.id) !== undefined;
    const part = nextPart(reading, limitBytes);
    skipped += part.skipped;
    commands.setReadTo(session, note.id, part.next);
    const shown = picked(part.text, args["filter"]);
    if (shown.type === "failed") return shown.result;
    ({ text } = shown);
    if (text !== "" || !isRunning || over.aborted) break;
    await commands.nextChange(session, over);
    context.signal.throwIfAborted();
  }
  const now = (await commands.list(session)).find(({ id }) => id === note.id) ?? note;
  commands.reported(session, now);
  const path = logPath(commands.folder(session), note.id);
  const left = skipped === 0 ? [] : [`[${skipped} bytes left out here; ${path} holds the latest of all it wrote]`];
  const nothing = args["filter"] === undefined ? "[no new output]" : "[no new line that fits the filter]";
  const [first, ...notes] = (now.end ?? "running").split("\n");
  const lines = [`${note.id} (${note.summary}): ${first}`, ...notes, ...left, text === "" ? nothing : text];
  return {
    status: "ok",
    content: lines.join("\n"),
    details: { background: note.id, isRunning: now.end === undefined, spillFile: path },
  };
}

function nextPart({ commands, session, note }: Reading, limitBytes: number): LogPart {
  const from = commands.readTo(session, note.id);
  const running = commands.running(session, note.id);
  if (running !== undefined) return running.log.read(from, limitBytes);
  return readPart(logPath(commands.folder(session), note.id), from, limitBytes);
}

/** The lines that a regular expression fits. An expression can take forever: it is given a limit of its own. */
function picked(
  text: string,
  filter: unknown,
): { readonly type: "picked"; readonly text: string } | { readonly type: "failed"; readonly result: ToolResult } {
  if (typeof filter !== "string" || text === "") return { type: "picked", text };
  try {
    const script = "const one = new RegExp(filter); text.split('\\n').filter((line) => one.test(line)).join('\\n')";
    const found: unknown = runInNewContext(script, { filter, text }, { timeout: filterMs });
    return { type: "picked", text: String(found) };
  } catch {
    const content = `filter takes too long on this output. Use a simpler expression, or read without one.`;
    return { type: "failed", result: { status: "failed", code: "tool.failed", content } };
  }
}
