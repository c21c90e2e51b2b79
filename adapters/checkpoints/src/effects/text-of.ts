import { binaryProbeBytes } from "../limits.ts";

/** The text of a file; `undefined`: it is binary. */
export function textOf(content: Buffer): string | undefined {
  if (content.subarray(0, binaryProbeBytes).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
