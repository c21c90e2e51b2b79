import { type Interaction, isJsonObject, readRecord, storedRecord, toTurnId } from "@capstan/protocol";

/** An interaction as the inbox stores it: with the version of the record that opened it. */
export function inboxBody(interaction: Interaction): string {
  const { v } = versioned(storedRecord({ type: "interaction-opened", turnId: noTurn, interaction }));
  return JSON.stringify(v === undefined ? interaction : { v, ...interaction });
}

/** What reading a row of the inbox gave; the reasons are those of `readRecord`. */
export type ReadInteraction =
  | { readonly type: "interaction"; readonly interaction: Interaction }
  | { readonly type: "newer"; readonly text: string }
  | { readonly type: "malformed" };

export function readInteraction(body: string): ReadInteraction {
  const stored = parsed(body);
  // What was checked when it was made matters here only as far as the row is whole.
  if (!isJsonObject(stored) || typeof stored["id"] !== "string" || !isJsonObject(stored["request"]))
    return { type: "malformed" };
  const { v = 1, ...interaction } = stored;
  const read = readRecord({ v, type: "interaction-opened", turnId: noTurn, interaction });
  if (read.type !== "record") return read;
  return read.record.type === "interaction-opened"
    ? { type: "interaction", interaction: read.record.interaction }
    : { type: "malformed" };
}

/** The inbox does not keep which turn asked. */
const noTurn = toTurnId("");

function versioned(stored: object): { readonly v?: unknown } {
  return stored;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
