import type { Action, SettleEvidence, ToolOutcome, TurnLimits } from "@capstan/protocol";
import { tooMuchWritten } from "./outcomes.ts";

/** What the writing calls of a turn have written so far. `files`: real paths. */
export interface Written {
  readonly bytes: number;
  readonly files: readonly string[];
}

export const nothingWritten: Written = { bytes: 0, files: [] };

/** Together with what a call is going to write. Bytes count each time, a file only once. */
export function addWritten(written: Written, { files }: SettleEvidence): Written {
  const changed = files.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return written;
  return {
    bytes: changed.reduce((sum, { afterBytes = 0 }) => sum + afterBytes, written.bytes),
    files: [...new Set([...written.files, ...changed.map(({ path }) => path)])],
  };
}

/** The answer to a call that would write more than its turn may; `undefined`: it fits. */
export function beyondWriteLimit(
  written: Written,
  limits: TurnLimits,
  action: Action,
  settle: SettleEvidence,
): ToolOutcome | undefined {
  if (action.effect !== "write") return undefined;
  const { bytes, files } = addWritten(written, settle);
  const { maxBytesWrittenPerTurn: maxBytes, maxFilesWrittenPerTurn: maxFiles } = limits;
  if (maxBytes !== null && bytes > maxBytes) return tooMuchWritten(`${bytes} bytes`, `${maxBytes} bytes`);
  if (maxFiles !== null && files.length > maxFiles) return tooMuchWritten(`${files.length} files`, `${maxFiles} files`);
  return undefined;
}
