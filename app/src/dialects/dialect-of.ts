import { AppError } from "@capstan/protocol";

/** The lines of other agents that Capstan speaks. */
export type Dialect = "claude" | "codex" | "ted";
const dialects: readonly Dialect[] = ["claude", "codex", "ted"];

/** A command line that is another agent's, with that agent's own words. */
export interface DialectCall {
  readonly dialect: Dialect;
  readonly args: readonly string[];
}

/**
 * Command lines whose words are another agent's: `embed --dialect NAME`, `exec`, and the one that the Claude Agent SDK starts a program with,
 * which names no command. `undefined`: it is one of ours.
 * @throws {AppError} `usage.invalid` for a dialect that there is not
 */
export function dialectOf(args: readonly string[]): DialectCall | undefined {
  const [first, ...rest] = args;
  if (first === undefined || args.some((word) => word === "--help" || word === "-h")) return undefined;
  if (first === "exec") return { dialect: "codex", args: rest };
  if (first === "embed") return embedded(rest);
  return first.startsWith("-") && speaksLines(args) ? { dialect: "claude", args } : undefined;
}

function embedded(args: readonly string[]): DialectCall | undefined {
  const at = args.findIndex((word) => word === "--dialect" || word.startsWith("--dialect="));
  const found = args[at];
  if (found === undefined) return undefined;
  const isJoined = found !== "--dialect";
  const name = isJoined ? found.slice("--dialect=".length) : args[at + 1];
  const others = args.toSpliced(at, isJoined ? 1 : 2);
  if (name === "capstan") return undefined;
  const dialect = dialects.find((one) => one === name);
  if (dialect !== undefined) return { dialect, args: others };
  throw new AppError("usage.invalid", `--dialect ${name ?? ""}: expected capstan, ${dialects.join(", ")}`);
}

/** Only who writes lines reads them: no prompt of a user has this flag. */
function speaksLines(args: readonly string[]): boolean {
  const at = args.indexOf("--input-format");
  return args.includes("--input-format=stream-json") || (at !== -1 && args[at + 1] === "stream-json");
}
