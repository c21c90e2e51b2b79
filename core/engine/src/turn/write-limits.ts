import type { Action, SettleEvidence, ToolOutcome, TurnLimits } from "@capstan/protocol";
import { tooMuchWritten } from "@capstan/wording";
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
