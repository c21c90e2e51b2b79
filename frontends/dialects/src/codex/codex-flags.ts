import { AppError } from "@capstan/protocol";
import { named, readForeignFlags } from "../lines/foreign-flags.ts";

/** What a command line of `codex exec` says. */
export interface CodexCommand {
  /** The session to continue, or the latest one here; absent: a new one. */
  readonly resume?: { readonly id: string } | "latest";
  /** Absent: it comes on standard input. */
  readonly prompt?: string;
  readonly images: readonly string[];
  readonly model?: string;
  readonly cwd?: string;
  readonly addDirectories: readonly string[];
  readonly outputSchema?: string;
  readonly outputLastMessage?: string;
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  readonly effort?: string;
  readonly baseUrl?: string;
  /** Keys of Capstan's configuration, as KEY=VALUE. */
  readonly sets: readonly string[];
  /** What is left out, and why, a sentence each. */
  readonly warnings: readonly string[];
}

const flags = {
  "--json": "switch",
  "--experimental-json": "switch",
  "--skip-git-repo-check": "switch",
  "--full-auto": "switch",
  "--dangerously-bypass-approvals-and-sandbox": "switch",
  "--yolo": "switch",
  "--last": "switch",
  "--ephemeral": "switch",
  "--config": "repeated",
  "-c": "repeated",
  "--model": "value",
  "-m": "value",
  "--sandbox": "value",
  "-s": "value",
  "--cd": "value",
  "-C": "value",
  "--add-dir": "repeated",
  "--image": "repeated",
  "-i": "repeated",
  "--output-schema": "value",
  "--output-last-message": "value",
  "-o": "value",
  "--color": "value",
  "--profile": "value",
  "-p": "value",
  "--thread-source": "value",
  "--cyber-access-program": "value",
} as const;

/** Flags that would change something there and cannot here. */
const left: ReadonlySet<string> = new Set(["--profile", "-p", "--cyber-access-program"]);

const sandboxes = ["read-only", "workspace-write", "danger-full-access"] as const;

/** @throws {AppError} `usage.invalid` */
export function readCodexCommand(args: readonly string[]): CodexCommand {
  const read = readForeignFlags(args, flags);
  for (const name of read.unknown) {
    const meant = Object.keys(flags).find((known) => isOneLetterOff(known, name));
    if (meant !== undefined) throw new AppError("usage.invalid", `unknown option '${name}' (did you mean ${meant}?)`);
  }
  const value = (...names: readonly string[]): string | undefined =>
    names.map((name) => read.values.get(name)).find((one) => one !== undefined);
  const list = (...names: readonly string[]): readonly string[] => names.flatMap((name) => read.lists.get(name) ?? []);
  const config = readConfig(list("--config", "-c"));
  const [first, ...rest] = read.words;
  const target: Target = first === "resume" ? resumed(rest, read.switches.has("--last")) : { words: read.words };
  if (target.words.length > 1)
    throw new AppError("usage.invalid", `the prompt is one argument, and there are ${target.words.length}`, {
      hint: "Put it in quotes, or write it to standard input.",
    });
  const [prompt] = target.words;
  const ignored = [...read.unknown, ...[...read.values.keys()].filter((name) => left.has(name))];
  const sandbox = sandboxOf(value("--sandbox", "-s"), read.switches);
  return {
    ...(target.resume === undefined ? {} : { resume: target.resume }),
    ...(prompt === undefined || prompt === "-" ? {} : { prompt }),
    ...named("model", value("--model", "-m") ?? config.model),
    ...named("cwd", value("--cd", "-C")),
    ...named("outputSchema", value("--output-schema")),
    ...named("outputLastMessage", value("--output-last-message", "-o")),
    ...named("effort", config.effort),
    ...named("baseUrl", config.baseUrl),
    ...(sandbox === undefined ? {} : { sandbox }),
    images: list("--image", "-i").flatMap((names) => names.split(",")),
    addDirectories: list("--add-dir"),
    sets: config.sets,
    warnings: [...ignored.map((name) => `${name} means nothing here and is left out`), ...config.warnings],
  };
}

/** A flag of a later version is left out; one that is misspelt would be, too, and its value would be taken for the prompt. */
function isOneLetterOff(known: string, given: string): boolean {
  const [short, long] = known.length < given.length ? [known, given] : [given, known];
  if (known.length < 4 || long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  const rest = short.slice(long.length === short.length ? from + 1 : from);
  return rest === long.slice(from + 1);
}

interface Target {
  readonly resume?: { readonly id: string } | "latest";
  readonly words: readonly string[];
}

function resumed([id, ...rest]: readonly string[], isLast: boolean): Target {
  if (isLast) return { resume: "latest", words: id === undefined ? [] : [id, ...rest] };
  if (id === undefined)
    throw new AppError("usage.invalid", "`exec resume` needs the id of a session, or --last", {
      hint: "Try: capstan sessions list",
    });
  return { resume: { id }, words: rest };
}

function sandboxOf(given: string | undefined, switches: ReadonlySet<string>): CodexCommand["sandbox"] | undefined {
  if (switches.has("--dangerously-bypass-approvals-and-sandbox") || switches.has("--yolo")) return "danger-full-access";
  if (given === undefined) return switches.has("--full-auto") ? "workspace-write" : undefined;
  const known = sandboxes.find((one) => one === given);
  if (known === undefined) throw new AppError("usage.invalid", `--sandbox ${given}: expected ${sandboxes.join(", ")}`);
  return known;
}

interface Config {
  readonly model?: string;
  readonly effort?: string;
  readonly baseUrl?: string;
  readonly sets: readonly string[];
  readonly warnings: readonly string[];
}

/** Codex's own keys, as far as they mean something here. */
function readConfig(overrides: readonly string[]): Config {
  let config: Config = { sets: [], warnings: [] };
  for (const override of overrides) {
    const [, key = override, text = ""] = /^([^=]+)=([^]*)$/.exec(override) ?? [];
    config = { ...config, ...readKey(key.trim(), text, config) };
  }
  return config;
}

function readKey(key: string, text: string, { sets, warnings }: Config): Partial<Config> {
  const word = text.trim().replace(/^"([^]*)"$/, "$1");
  if (key === "model") return { model: word };
  if (key === "model_reasoning_effort") return { effort: effortOf(word) };
  if (key === "openai_base_url") return { baseUrl: word };
  if (key.startsWith("mcp_servers.")) return { sets: [...sets, `${key}=${text}`] };
  const isMeant =
    (key === "approval_policy" && word === "never") ||
    (key === "web_search" && word === "disabled") ||
    (key === "sandbox_workspace_write.network_access" && word === "false");
  return isMeant ? {} : { warnings: [...warnings, `--config ${key} means nothing here and is left out`] };
}

/** Those above ours are our highest; `none` is none that a model is asked for. */
function effortOf(word: string): string {
  return word === "ultra" || word === "persistent" ? "max" : word;
}
