import type { Evidence, PrintedEvent, Violation } from "./evidence.ts";

/** Every agent was called by one call, worked once, and has come to the end that its caller reports. */
export function agentsOnce({ journal, agents }: Evidence): readonly Violation[] {
  const callers = [journal, ...agents];
  const seen = new Set<string>();
  return agents.flatMap((agent): readonly Violation[] => {
    const started = agent.flatMap(({ record }) => (record.type === "session-started" ? [record] : []))[0];
    const by = started?.spawnedBy;
    if (by === undefined) return [{ kind: "journal", text: "an agent's session does not say who called it" }];
    const call = `${by.sessionId} ${by.callId}`;
    const doubled = seen.has(call);
    seen.add(call);
    const turns = count(agent, "turn-started");
    const ends = count(agent, "turn-ended");
    const reported = callers.flatMap((caller) => reportsOf(caller, started?.sessionId ?? ""));
    return [
      ...(doubled ? [{ kind: "doubled", text: `the call ${call} has two agents` } as const] : []),
      ...(turns > 1 ? [{ kind: "doubled", text: `the agent of ${call} began its work ${turns} times` } as const] : []),
      ...(reported.length > 1
        ? [{ kind: "doubled", text: `the agent of ${call} was reported ${reported.length} times` } as const]
        : []),
      ...(reported.includes("done") && ends === 0
        ? [{ kind: "lost", text: `the agent of ${call} was reported as done and has not ended` } as const]
        : []),
    ];
  });
}

function count(journal: readonly PrintedEvent[], type: PrintedEvent["record"]["type"]): number {
  return journal.filter(({ record }) => record.type === type).length;
}

/** How the calls ended that name a session in their report. */
function reportsOf(journal: readonly PrintedEvent[], sessionId: string): readonly string[] {
  return journal.flatMap(({ record }) =>
    record.type === "tool-finished" &&
    "content" in record.outcome &&
    record.outcome.content.includes(`session ${sessionId}]`)
      ? [record.outcome.type]
      : [],
  );
}
