import type { Action, SettleEvidence, ToolOutcome, TurnLimits } from "@capstan/protocol";
import type { OpenTurn } from "../model/state.ts";
import { addWritten } from "../model/written.ts";

/** The answer to a call that would write more than its turn may; `undefined`: it fits. */
export function beyondWriteLimit(
  turn: OpenTurn,
  limits: TurnLimits,
  action: Action,
  settle: SettleEvidence,
): ToolOutcome | undefined {
  if (action.effect !== "write") return undefined;
  const { bytes, files } = addWritten(turn.written, settle);
  const { maxBytesWrittenPerTurn: maxBytes, maxFilesWrittenPerTurn: maxFiles } = limits;
  if (maxBytes !== null && bytes > maxBytes) return tooMuchWritten(`${bytes} bytes`, `${maxBytes} bytes`);
  if (maxFiles !== null && files.length > maxFiles) return tooMuchWritten(`${files.length} files`, `${maxFiles} files`);
  return undefined;
}

function tooMuchWritten(would: string, limit: string): ToolOutcome {
  return {
    type: "rejected",
    code: "tool.write-limit",
    content: `Not run: with this call the turn would have written ${would}, and its limit is ${limit}. Nothing was changed. Write less, or end the turn and say what is left to do.`,
  };
}
