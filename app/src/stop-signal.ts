import type { CancelReason } from "@capstan/protocol";

/** Exit codes of a second, impatient signal. */
const impatientExitCodes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 };

/**
 * Listens for the user or the system to ask for a stop: the first signal asks for a clean end, the second ends at once.
 * A closed output counts as a request to stop.
 */
export function onStopSignal(listener: (reason: CancelReason) => void): () => void {
  let asked = false;
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = (): void => {
      if (asked) process.exit(impatientExitCodes[signal] ?? 1);
      asked = true;
      listener(signal === "SIGINT" ? "interrupted" : "terminated");
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  const onClosed = (): void => listener("terminated");
  process.stdout.once("error", onClosed);
  return () => {
    for (const remove of handlers) remove();
    process.stdout.off("error", onClosed);
  };
}
