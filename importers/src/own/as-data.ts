import { conversation, outlined } from "@capstan/session";
import {
  AppError,
  type ImportSource,
  type JournalRecord,
  type SessionConfig,
  type SessionEvent,
  type SessionId,
  type Workspace,
} from "@capstan/protocol";
import { broughtToRest, keptInCopy } from "./copied-records.ts";
import type { ReadSessionFile } from "./read-session-file.ts";

/** Where an imported session is to live, and what is said of its coming. */
export interface Arrival {
  readonly sessionId: SessionId;
  /** Of the run that imports it. */
  readonly workspace: Workspace;
  /** The session's id in the file. */
  readonly foreignId: SessionId;
}

/** The session of a file as data, which is read when it is asked for. */
export interface SessionData {
  /** What the file says of where it worked; `null`: there is nothing in it. */
  readonly cwd: string | null;
  /** Events of its good beginning, and why that is not all. */
  readonly read: number;
  readonly problem: string | null;
  /** Of the data, with its ends. */
  readonly records: number;
  readonly turns: number;
  readonly calls: number;
  /** @throws {AppError} `import.broken` where the file is another by now */
  readonly events: () => Generator<SessionEvent>;
}

/**
 * The events of a session file as what they are: a report of what was said and done elsewhere, which may allow, open, start or
 * take back nothing here. It begins in the directories of the run that imports it and ends at rest; what would give leave
 * (remembered approvals, questions, approved plans, words in line, rules, hosts) is left out, and what would touch files
 * (checkpoints, effects, hashes of files) is empty. The file is read once to see what it comes to, and is never held.
 * @throws whatever a record that is not what its type says makes the fold throw
 */
export function asData({ events: read }: Pick<ReadSessionFile, "events">, arrival: Arrival): SessionData {
  const count = new Count();
  const { ends, state } = broughtToRest(count.outlines(dataIn(count.noted(read()), arrival)), origin);
  // What is sent to a model must be readable, too.
  conversation(state);
  const { data, at } = count;
  const records = data === 0 ? 0 : data + ends.length;
  return {
    ...count.figures,
    records,
    *events() {
      let seq = 0;
      for (const event of dataIn(read(), arrival, records)) yield { seq: (seq += 1), ...event };
      if (seq !== data) throw changedMeanwhile(data, seq);
      for (const record of ends) yield { seq: (seq += 1), at, record };
    },
  };
}

const origin = { frontend: "import" } as const;

/** @param lastSeq  of the whole, once it is known */
function* dataIn(
  events: Generator<SessionEvent, unknown>,
  { sessionId, workspace, foreignId }: Arrival,
  lastSeq?: number,
): Generator<Omit<SessionEvent, "seq">> {
  const first = events.next();
  if (first.done === true || first.value.record.type !== "session-started") return;
  const { at, record: started } = first.value;
  const importedFrom = lastSeq === undefined ? {} : { importedFrom: importedBy("Capstan", foreignId, lastSeq) };
  const { version } = started;
  yield { at, record: { type: "session-started", sessionId, workspace, origin, version, ...importedFrom } };
  const text = importNotice("Capstan", foreignId);
  yield { at, record: { type: "notice", level: "info", code: "session.imported", text } };
  for (const event of keptInCopy(events)) {
    const record = withoutPower(event.record);
    if (record !== undefined) yield { at: event.at, record };
  }
}

/** What a file comes to, counted while it is read. */
class Count {
  #cwd: string | null = null;
  #read = 0;
  #problem: string | null = null;
  #turns = 0;
  #calls = 0;
  /** Records of the data without its ends, and when the last of them was. */
  data = 0;
  at = 0;

  get figures(): Pick<SessionData, "cwd" | "read" | "problem" | "turns" | "calls"> {
    return { cwd: this.#cwd, read: this.#read, problem: this.#problem, turns: this.#turns, calls: this.#calls };
  }

  *noted(events: Generator<SessionEvent, string | null>): Generator<SessionEvent> {
    let next = events.next();
    for (; next.done !== true; next = events.next()) {
      const { record } = next.value;
      if (this.#read === 0 && record.type === "session-started") this.#cwd = record.workspace.cwd;
      this.#read += 1;
      yield next.value;
    }
    this.#problem = next.value;
  }

  *outlines(data: Iterable<Omit<SessionEvent, "seq">>): Generator<JournalRecord> {
    for (const { at, record } of data) {
      this.data += 1;
      this.at = at;
      if (record.type === "turn-started") this.#turns += 1;
      if (record.type === "step-completed")
        this.#calls += record.message.content.filter((block) => block.type === "tool-call").length;
      yield outlined(record);
    }
  }
}

function changedMeanwhile(before: number, now: number): AppError {
  return new AppError(
    "import.broken",
    `the file was changed while it was read: of ${before} records ${now} are there`,
    {
      hint: "Nothing was imported. Import it again when nothing writes to it any more.",
    },
  );
}

/** The same, with its first record naming where all of it came from. */
export function named(events: readonly SessionEvent[], agent: string, foreignId: string): readonly SessionEvent[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first?.record.type !== "session-started" || last === undefined) return events;
  const importedFrom = importedBy(agent, foreignId, last.seq);
  return [{ ...first, record: { ...first.record, importedFrom } }, ...events.slice(1)];
}

function importedBy(agent: string, sessionId: string, lastSeq: number): ImportSource {
  return { agent, sessionId, lastSeq };
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
    case "proposals-applying":
    case "proposals-applied":
    case "proposals-refused":
      return undefined;
    case "session-configured":
      return { ...record, config: withoutLeave(record.config) };
    case "tool-started":
      return { type: "tool-started", callId: record.callId, digest: record.digest, settle: { files: [] } };
    case "tool-probed":
      return { ...record, finding: withoutFiles(record.finding), effects: [] };
    case "tool-finished": {
      const { effects: _effects, proposed: _proposed, ...rest } = record;
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
