import { AppError } from "@capstan/protocol";
import { named, readForeignFlags } from "../lines/foreign-flags.ts";

/** What a command line of `ted chat --embedded` says. */
export interface TedCommand {
  readonly prompt: string;
  readonly history?: string;
  readonly resume?: string;
  /** File changes are proposed and not applied. */
  readonly reviews: boolean;
  readonly hasTools: boolean;
  readonly systemPromptFile?: string;
  readonly filesInContext: readonly string[];
  readonly provider?: string;
  readonly model?: string;
  readonly cwd?: string;
  readonly permissionMode?: string;
  /** Everything runs unasked. */
  readonly trusts: boolean;
  readonly warnings: readonly string[];
}

const flags = {
  "--embedded": "switch",
  "--review-mode": "switch",
  "--no-tools": "switch",
  "--no-stream": "switch",
  "--no-tui": "switch",
  "--project-has-files": "switch",
  "--trust": "switch",
  "--history": "value",
  "--resume": "value",
  "--system-prompt-file": "value",
  "--files-in-context": "repeated",
  "--provider": "value",
  "--model": "value",
  "-m": "value",
  "-C": "value",
  "--permission-mode": "value",
  "--cap": "repeated",
  "-c": "repeated",
  "--model-path": "value",
} as const;

/** Flags that would change something there and cannot here. */
const left: readonly string[] = ["--cap", "-c", "--model-path"];

/** @throws {AppError} `usage.invalid` */
export function readTedCommand(args: readonly string[]): TedCommand {
  const read = readForeignFlags(args, flags);
  const value = (...names: readonly string[]): string | undefined =>
    names.map((name) => read.values.get(name)).find((one) => one !== undefined);
  const [prompt, ...more] = read.words[0] === "chat" && read.words.length > 1 ? read.words.slice(1) : read.words;
  if (prompt === undefined || prompt.trim() === "" || more.length > 0)
    throw new AppError("usage.invalid", "one prompt is needed, as an argument", {
      hint: 'Try: capstan embed --dialect ted "what is in this folder?"',
    });
  const ignored = [...read.unknown, ...left.filter((name) => read.values.has(name) || read.lists.has(name))];
  return {
    prompt,
    ...named("history", value("--history")),
    ...named("resume", value("--resume")),
    ...named("systemPromptFile", value("--system-prompt-file")),
    ...named("provider", value("--provider")),
    ...named("model", value("--model", "-m")),
    ...named("cwd", value("-C")),
    ...named("permissionMode", value("--permission-mode")),
    reviews: read.switches.has("--review-mode"),
    hasTools: !read.switches.has("--no-tools"),
    trusts: read.switches.has("--trust"),
    filesInContext: (read.lists.get("--files-in-context") ?? [])
      .flatMap((names) => names.split(","))
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    warnings: ignored.map((name) => `${name} means nothing here and is left out`),
  };
}
