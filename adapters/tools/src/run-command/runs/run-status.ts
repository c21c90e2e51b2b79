import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";

/** How far a run has come, as its file says. `digest`: the action's. */
export type RunStatus =
  /** About to be spawned: there may be a process, or none. */
  | { readonly type: "starting"; readonly digest: string }
  | {
      readonly type: "running";
      readonly digest: string;
      /** The first process, and leader of the group. */
      readonly pid: number;
      /** Clock ticks since the machine started; `null`: not known here. */
      readonly startTicks: number | null;
      readonly bootId: string | null;
    }
  | ({ readonly type: "exited"; readonly digest: string } & RunEnd);

/** How the first process of a run ended. */
export interface RunEnd {
  /** `exited`: by itself; otherwise it was made to. */
  readonly cause: "exited" | "timeout" | "aborted";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
}

/** @returns `undefined` for what is no status of ours: cut off, damaged, or somebody else's */
export function parseRunStatus(text: string): RunStatus | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || typeof value["digest"] !== "string") return undefined;
  switch (value["type"]) {
    case "starting":
      return { type: "starting", digest: value["digest"] };
    case "running":
      return parseRunning(value, value["digest"]);
    case "exited":
      return parseExited(value, value["digest"]);
    default:
      return undefined;
  }
}

function parseRunning({ pid, startTicks, bootId }: JsonObject, digest: string): RunStatus | undefined {
  if (!isCount(pid) || !(startTicks === null || isCount(startTicks))) return undefined;
  if (!(bootId === null || typeof bootId === "string")) return undefined;
  return { type: "running", digest, pid, startTicks, bootId };
}

function parseExited({ cause, exitCode, signal, durationMs }: JsonObject, digest: string): RunStatus | undefined {
  if (!isCause(cause) || !isCount(durationMs)) return undefined;
  if (!(exitCode === null || isCount(exitCode)) || !(signal === null || typeof signal === "string")) return undefined;
  return { type: "exited", digest, cause, exitCode, signal, durationMs };
}

function isCause(value: JsonValue | undefined): value is RunEnd["cause"] {
  return value === "exited" || value === "timeout" || value === "aborted";
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
