/**
 * What a result may hold beside the lines that say how it came about: what is left when they are kept back, and at least half,
 * so that the smallest limit still shows something.
 */
export function outputRoom(limitBytes: number, keptBackBytes: number): number {
  return Math.max(limitBytes - keptBackBytes, Math.ceil(limitBytes / 2));
}
