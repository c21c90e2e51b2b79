import type { SettleEvidence } from "@capstan/protocol";

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
