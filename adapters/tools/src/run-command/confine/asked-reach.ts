import { isIPv4, isIPv6 } from "node:net";
import { type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { inertText } from "../../paths/inert-text.ts";
import { maxHosts, maxJustification, maxWritable } from "./limits.ts";

/** What a call asks for beyond the sandbox, checked as far as its words go. */
export interface AskedReach {
  /** `name` or `name:port`, in small letters; each once, sorted. */
  readonly hosts: readonly string[];
  /** Paths as written. */
  readonly writable: readonly string[];
  /** It says that it changes files of the workspace. */
  readonly writes: boolean;
  /** Why it is to run outside the sandbox. */
  readonly outside: string | undefined;
}

/** @throws {ToolRefusal} `tool.bad-arguments` */
export function askedReach(args: JsonObject): AskedReach {
  const hosts = textList(args["network"], "network", maxHosts).map(readHost);
  return {
    hosts: [...new Set(hosts)].toSorted(),
    writable: textList(args["writable"], "writable", maxWritable),
    writes: readWrites(args["writes"]),
    outside: readOutside(args["outside_sandbox"], args["justification"]),
  };
}

function readWrites(writes: JsonValue | undefined): boolean {
  if (writes === undefined || typeof writes === "boolean") return writes === true;
  throw bad("writes is true, or left out.");
}

function readOutside(outside: JsonValue | undefined, justification: JsonValue | undefined): string | undefined {
  if (outside === undefined || outside === false) return undefined;
  if (outside !== true) throw bad("outside_sandbox is true, or left out.");
  const reason = typeof justification === "string" ? justification.trim() : "";
  if (reason === "") throw bad("outside_sandbox needs a justification: what does the sandbox keep it from?");
  if (reason.length > maxJustification) throw bad(`justification has at most ${maxJustification} characters.`);
  return reason;
}

function textList(value: JsonValue | undefined, name: string, limit: number): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw bad(`${name} must be a list of strings.`);
  const texts = value.filter((item) => typeof item === "string");
  if (texts.length < value.length) throw bad(`${name} must be a list of strings.`);
  if (texts.length > limit) throw bad(`${name} takes at most ${limit}.`);
  return texts;
}

/** One spelling for each host, with nothing in it that two programs could read in two ways. */
function readHost(text: string): string {
  const lower = text.toLowerCase();
  const [, name = "", port] =
    (isIPv6(lower) ? [lower, `[${lower}]`] : /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(lower)) ?? [];
  const plain = name.replace(/\.$/, "");
  const isHost = plain.startsWith("[") ? isIPv6(plain.slice(1, -1)) : isName(plain);
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  if (isHost && isPort) return port === undefined ? plain : `${plain}:${Number(port)}`;
  throw bad(
    `network: ${JSON.stringify(inertText(text, 100))} is no host. Write name or name:port, in ASCII, without scheme, path or star.`,
  );
}

/** DNS names and IPv4 addresses; `0x7f.1` and `127.1` are addresses to some programs, and not what they seem. */
function isName(name: string): boolean {
  if (/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name)) return isIPv4(name);
  return (
    name.length <= 253 &&
    /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(name)
  );
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
