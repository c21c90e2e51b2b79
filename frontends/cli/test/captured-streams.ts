import type { Streams } from "../src/output.ts";

export interface CapturedStreams extends Streams {
  readonly out: () => string;
  readonly progressText: () => string;
}

/** Streams that remember what was written. */
export function capturedStreams(
  options: { readonly terminal?: boolean; readonly colors?: boolean } = {},
): CapturedStreams {
  const { terminal = false, colors = false } = options;
  const out: string[] = [];
  const progress: string[] = [];
  return {
    result: { isTerminal: terminal, write: (text) => void out.push(text) },
    progress: { isTerminal: terminal, write: (text) => void progress.push(text) },
    colors,
    out: () => out.join(""),
    progressText: () => progress.join(""),
  };
}
