import { hookPointNamed, matcherProblem } from "@capstan/hook-points";
import { inertLine } from "@capstan/patterns";
import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { FoundHook, FoundHooks, HookWork } from "../found-hook.ts";
import { defaultTimeoutMs, endTimeoutMs, maxHooksOfFile } from "../limits.ts";
import { entryOf } from "./hook-id.ts";

const msPerSecond = 1000;
const nameCharacters = 60;

/**
 * The hooks of a file in the form of `.claude/settings.json`: under `hooks` the events, under these groups with a matcher.
 * Total: what is no hook is a problem, and what Capstan does not run is a hook that says so.
 * @param shown  the file, for people
 */
export function hooksOfFile(text: string, file: string, shown: string): FoundHooks {
  const problems: string[] = [];
  const hooks: FoundHook[] = [];
  const root = parsed(text);
  if (!isJsonObject(root)) return { hooks, problems: [{ file, text: "it is no JSON object" }] };
  const table = root["hooks"] ?? {};
  if (!isJsonObject(table)) return { hooks, problems: [{ file, text: "hooks: expected an object of events" }] };
  const isOff = root["disableAllHooks"] === true ? { inactive: "the file says disableAllHooks" } : {};
  for (const [event, groups] of Object.entries(table)) {
    for (const [number, { matcher, hook }] of flattened(groups).entries()) {
      if (hooks.length >= maxHooksOfFile) return done(`more than ${maxHooksOfFile} hooks: the rest is left out`);
      const label = `${shown}: ${inertLine(event, nameCharacters)} ${number + 1}`;
      const read = hookOf(event, matcher, hook, label);
      if (typeof read === "string") problems.push(`${label}: ${read}`);
      else hooks.push({ ...read, file, ...isOff });
    }
  }
  return done();

  function done(more?: string): FoundHooks {
    const all = more === undefined ? problems : [...problems, more];
    return { hooks, problems: all.map((problem) => ({ file, text: problem })) };
  }
}

function hookOf(event: string, matcher: string, hook: JsonObject, name: string): Omit<FoundHook, "file"> | string {
  const point = hookPointNamed(event);
  if (point === undefined) return "Capstan has no such event";
  if (matcherProblem(matcher) !== undefined) return `matcher ${JSON.stringify(matcher)}: it is no regular expression`;
  const work = workOf(hook);
  if (typeof work === "string") return work;
  const { timeout } = hook;
  const isTimed = typeof timeout === "number" && timeout > 0;
  const usualMs = point.event === "SessionEnd" ? endTimeoutMs : defaultTimeoutMs;
  return {
    entry: entryOf(point.event, work, { matcher, name, by: "workspace" }),
    work,
    timeoutMs: isTimed ? Math.min(timeout, maxSeconds) * msPerSecond : usualMs,
    ...(work.type === "http" ? { inactive: "hooks of a workspace have no network" } : {}),
  };
}

/** Seconds: scripts of others write milliseconds now and then. */
const maxSeconds = 600;

function workOf({ type = "command", command, args, url }: JsonObject): HookWork | string {
  if (type === "http") return typeof url === "string" ? { type: "http", url, headers: {} } : "url is missing";
  if (type !== "command") return `Capstan runs no hooks of type ${JSON.stringify(type)}`;
  if (typeof command !== "string" || command.trim() === "") return "command is missing";
  const isList = Array.isArray(args) && args.every((arg) => typeof arg === "string");
  return isList ? { type: "program", argv: [command, ...args] } : { type: "shell", script: command };
}

/** Groups with a matcher, and hooks without one, as older files have them. */
function flattened(groups: JsonValue): readonly { readonly matcher: string; readonly hook: JsonObject }[] {
  if (!Array.isArray(groups)) return [];
  return groups.filter(isJsonObject).flatMap((group) => {
    const { matcher, hooks } = group;
    const wanted = typeof matcher === "string" ? matcher : "";
    const listed = Array.isArray(hooks) ? hooks.filter(isJsonObject) : [group];
    return listed.map((hook) => ({ matcher: wanted, hook }));
  });
}

function parsed(text: string): JsonValue | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is JSON
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
