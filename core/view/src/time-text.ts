/** How long something took, as every frontend says it: `240 ms`, `3.2 s`, `48 s`, `2 min 5 s`. */
export function timeText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What still runs, and is looked at once a second: whole seconds, so that no digit stands that was not measured. */
export function runningTimeText(ms: number): string {
  return ms < 10_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : timeText(Math.floor(ms / 1000) * 1000);
}
