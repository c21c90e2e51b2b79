import { hookCatalog, hookPointNamed } from "@capstan/hook-points";
import type { ProgramHook } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import { didYouMean } from "@capstan/settings";
import type { FoundHook } from "../found-hook.ts";
import { defaultTimeoutMs, endTimeoutMs, maxHooksOfFile } from "../limits.ts";
import { entryOf } from "./hook-id.ts";

/** The hooks of the program, in its order. @throws AppError `usage.invalid` */
export function programHooks(given: readonly ProgramHook[]): readonly FoundHook[] {
  if (given.length > maxHooksOfFile) throw invalid(`a program has at most ${maxHooksOfFile} hooks`);
  return given.map((hook, index): FoundHook => {
    const { event, matcher = "", timeoutMs } = hook;
    const work = { type: "function", run: hook.run.bind(hook) } as const;
    const point = hookPointNamed(event);
    if (point === undefined) {
      const known = hookCatalog.flatMap((each) => [each.event, ...each.aliases]);
      throw invalid(`hooks: there is no event ${JSON.stringify(event)}${didYouMean(event, known)}`);
    }
    if (given.some((other, at) => at < index && other.name !== undefined && other.name === hook.name))
      throw invalid(`hooks: there are two named ${JSON.stringify(hook.name)}`);
    const name = hook.name ?? `${event} ${index + 1} of the program`;
    const usualMs = point.event === "SessionEnd" ? endTimeoutMs : defaultTimeoutMs;
    return {
      entry: entryOf(point.event, work, { matcher, name, by: "program" }),
      work,
      timeoutMs: timeoutMs ?? usualMs,
      file: null,
    };
  });
}

function invalid(message: string): AppError {
  return new AppError("usage.invalid", message, { hint: "docs/reference/hooks.md names the events." });
}
