import { hookCatalog, hookPointNamed } from "@capstan/hook-points";
import { AppError, unreachable } from "@capstan/protocol";
import { describeOrigin, didYouMean, type HookConfig, type Settings } from "@capstan/settings";
import type { FoundHook, HookWork } from "../found-hook.ts";
import { defaultTimeoutMs, endTimeoutMs } from "../limits.ts";
import { entryOf } from "./hook-id.ts";

const msPerSecond = 1000;

/** The hooks of the user's configuration, in the order in which they stand there. @throws AppError `config.invalid` */
export function ownHooks({ loaded, env }: Pick<Settings, "loaded" | "env">): readonly FoundHook[] {
  return Object.entries(loaded.values.hooks).flatMap(([name, tables]) => {
    const point = hookPointNamed(name);
    const place = (): string => describeOrigin(loaded.origins.get(`hooks.${name}`) ?? { layer: "default" });
    if (point === undefined) {
      const known = hookCatalog.flatMap(({ event, aliases }) => [event, ...aliases]);
      throw invalid(`${place()}: hooks.${name}: there is no such event${didYouMean(name, known)}`);
    }
    return tables.map((table, index): FoundHook => {
      const label = `[[hooks.${name}]] ${index + 1}`;
      const work = workOf(table, env, (problem) => invalid(`${place()}: ${label}: ${problem}`));
      const { matcher = "", timeout } = table;
      const usualMs = point.event === "SessionEnd" ? endTimeoutMs : defaultTimeoutMs;
      return {
        entry: entryOf(point.event, work, { matcher, name: label, by: "user" }),
        work,
        timeoutMs: timeout === undefined ? usualMs : timeout * msPerSecond,
        file: null,
      };
    });
  });
}

function workOf(table: HookConfig, env: Settings["env"], problem: (text: string) => AppError): HookWork {
  const { command, url, headers = {}, bearer_token_env: tokenName } = table;
  if (url !== undefined) {
    if (!isSafe(new URL(url))) throw problem("url: plain http is for addresses of this machine; use https");
    if (tokenName === undefined) return { type: "http", url, headers };
    const token = env[tokenName] ?? "";
    if (token === "") throw problem(`bearer_token_env: the variable ${tokenName} is not set`);
    return { type: "http", url, headers: { ...headers, authorization: `Bearer ${token}` } };
  }
  switch (typeof command) {
    case "string":
      return { type: "shell", script: command };
    case "object":
      return { type: "program", argv: command };
    case "undefined":
      throw problem("set either command or url");
    default:
      return unreachable(command);
  }
}

/** What is shown to hooks must not be read on its way. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function invalid(message: string): AppError {
  return new AppError("config.invalid", message, { hint: "See docs/hooks.md." });
}
