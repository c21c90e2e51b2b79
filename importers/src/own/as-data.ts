import { conversation, fold } from "@capstan/session";
import type { JournalRecord, SessionConfig, SessionEvent, SessionId, Workspace } from "@capstan/protocol";
import { endsOf, keptInCopy } from "./copied-records.ts";

/** Where an imported session is to live, and what is said of its coming. */
export interface Arrival {
  readonly sessionId: SessionId;
  /** Of the run that imports it. */
  readonly workspace: Workspace;
  /** The session's id in the file. */
  readonly foreignId: SessionId;
}

/**
 * The events of a session file as what they are: a report of what was said and done elsewhere, which may allow, open, start or
 * take back nothing here. It begins in the directories of the run that imports it and ends at rest; what would give leave
 * (remembered approvals, questions, approved plans, words in line, rules, hosts) is left out, and what would touch files
 * (checkpoints, effects, hashes of files) is empty.
 * @throws whatever a record that is not what its type says makes the fold throw
 */
export function asData(
  events: readonly SessionEvent[],
  { sessionId, workspace, foreignId }: Arrival,
): readonly SessionEvent[] {
  const [first] = events;
  if (first?.record.type !== "session-started") return [];
  const origin = { frontend: "import" } as const;
  const { version } = first.record;
  const opening: readonly JournalRecord[] = [
    { type: "session-started", sessionId, workspace, origin, version },
    { type: "notice", level: "info", code: "session.imported", text: importNotice("Capstan", foreignId) },
  ];
  const records = new Map(events.map((event) => [event.record, event.at]));
  const kept = keptInCopy(events).flatMap((record) => {
    const data = withoutPower(record);
    return data === undefined ? [] : [{ at: records.get(record) ?? first.at, record: data }];
  });
  const begun = [...opening.map((record) => ({ at: first.at, record })), ...kept];
  const at = begun.at(-1)?.at ?? first.at;
  const ends = endsOf(
    begun.map(({ record }) => record),
    origin,
  ).map((record) => ({ at, record }));
  // What is sent to a model must be readable, too.
  conversation(fold([...begun, ...ends].map(({ record }) => record)));
  return named(
    [...begun, ...ends].map((event, index) => ({ seq: index + 1, ...event })),
    "Capstan",
    foreignId,
  );
}

/** The same, with its first record naming where all of it came from. */
export function named(events: readonly SessionEvent[], agent: string, foreignId: string): readonly SessionEvent[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first?.record.type !== "session-started" || last === undefined) return events;
  const importedFrom = { agent, sessionId: foreignId, lastSeq: last.seq };
  return [{ ...first, record: { ...first.record, importedFrom } }, ...events.slice(1)];
}

/** The first words of its audit. */
export function importNotice(agent: string, foreignId: string): string {
  return `Imported from ${agent}${foreignId === "" ? "" : ` (${foreignId})`}: what stands here was said and done there, as far as the file can be believed.`;
}

/** @returns `undefined` for a record that could only give leave */
function withoutPower(record: JournalRecord): JournalRecord | undefined {
  switch (record.type) {
    case "session-started":
    case "turn-queued":
    case "interaction-opened":
    case "interaction-resolved":
    case "grant-added":
    case "grant-revoked":
    case "tool-effects":
    case "results-kept":
      return undefined;
    case "session-configured":
      return { ...record, config: withoutLeave(record.config) };
    case "tool-started":
      return { type: "tool-started", callId: record.callId, digest: record.digest, settle: { files: [] } };
    case "tool-probed":
      return { ...record, finding: withoutFiles(record.finding), effects: [] };
    case "tool-finished": {
      const { effects: _, ...rest } = record;
      return { ...rest, observed: [] };
    }
    case "rewind-started":
      return { ...record, files: [] };
    case "rewind-finished":
      return { ...record, restored: [] };
    case "hook-finished": {
      const { verdict: _, ...answer } = record.answer;
      return { ...record, answer };
    }
    case "hook-started":
    case "session-recovered":
    case "session-titled":
    case "turn-started":
    case "queue-changed":
    case "turn-steered":
    case "context-packed":
    case "turn-ended":
    case "step-started":
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
    case "step-retrying":
    case "step-completed":
    case "step-abandoned":
    case "tool-decided":
    case "tool-deferred":
    case "tool-restarted":
    case "tool-output-delta":
    case "call-edited":
    case "compaction-started":
    case "compaction-completed":
    case "compaction-failed":
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
    case "notice":
      return record;
  }
}

type Finding = Extract<JournalRecord, { type: "tool-probed" }>["finding"];

function withoutFiles(finding: Finding): Finding {
  return finding.type === "ended" ? { ...finding, observed: [] } : finding;
}

/** Whoever resumes it sets the session's settings again; until then these allow nothing. */
function withoutLeave(config: SessionConfig): SessionConfig {
  return {
    ...config,
    mode: "default",
    policy: { approval: "default", rules: [], yolo: false },
    askPolicy: "deny",
    interactionExpiryMs: null,
    sandbox: {
      isolation: { type: "none", reason: "the session was imported" },
      autoRun: false,
      withoutIsolation: "refuse",
      hosts: [],
    },
    onUnknown: "fail",
  };
}
