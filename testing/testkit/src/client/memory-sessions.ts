import {
  AppError,
  type ClientIdentity,
  type JournalRecord,
  readRecord,
  requireRole,
  type SessionId,
  type SessionsClient,
  type SessionSummary,
  toSessionId,
  wholeText,
} from "@capstan/protocol";
import { MemorySession } from "./memory-session.ts";
import { type Changing, watched, whenChanged } from "./watched.ts";

interface MemoryParts {
  readonly sessions: Map<SessionId, MemorySession>;
  readonly changing: Changing;
  readonly known: (id: SessionId) => MemorySession;
  readonly list: () => readonly SessionSummary[];
  readonly mint: (kind: string) => string;
  readonly copy: (id: SessionId, identity: ClientIdentity) => SessionId;
}

/** Sessions in memory as wholes. A session's file is its records, one a line. */
export function memorySessions({ sessions, changing, known, list, mint, copy }: MemoryParts): SessionsClient {
  return {
    list: async () => list(),
    watch: () => watched(changing, () => whenChanged(list)),
    read: async (id, after, limit) => known(id).after(after).slice(0, limit),
    history: async (id, before, limit) => known(id).page(before, limit),
    async resolve(idOrName) {
      const found = list().find(({ id, title }) => id.startsWith(idOrName) || title === idOrName);
      if (found === undefined) throw new AppError("session.unknown", `there is no session ${idOrName}`);
      return found.id;
    },
    async copy(id, identity) {
      requireRole("sessions.copy", identity);
      return copy(id, identity);
    },
    async delete(id, identity) {
      requireRole("sessions.delete", identity);
      const session = known(id);
      if (session.present.size > 0) throw new AppError("session.busy", `session ${id} is open`);
      sessions.delete(id);
      changing.change();
    },
    async *export(id, { exact }, identity) {
      requireRole(exact ? "sessions.exportExact" : "sessions.export", identity);
      for (const { record } of known(id).after(0)) yield JSON.stringify(record);
    },
    async import({ name, text, as }, identity) {
      requireRole("sessions.import", identity);
      const id = toSessionId(as ?? mint("session"));
      if (sessions.has(id)) throw new AppError("usage.invalid", `the session ${id} exists already`);
      const events = recordsOf(name, wholeText(text)).map((record, index) => ({ seq: index + 1, at: 0, record }));
      const session = new MemorySession(id, () => changing.change());
      sessions.set(id, session);
      session.begin({ frontend: "import" }, events);
      const counts = { turns: events.filter(({ record }) => record.type === "turn-started").length, calls: 0 };
      return {
        sessionId: id,
        agent: "Capstan",
        foreignId: "",
        ...counts,
        records: session.seq,
        healed: {},
        notes: [],
      };
    },
    async rewind(id, request, identity) {
      requireRole("sessions.rewind", identity);
      return known(id).rewind(request, { frontend: identity.frontend });
    },
    async settleProposals(id, _request, identity) {
      requireRole("sessions.settleProposals", identity);
      const refusal = { code: "proposals.nothing", reason: "nothing is proposed" } as const;
      return { receipt: { type: "refused", ...refusal }, events: known(id).after(known(id).seq) };
    },
    async check(id) {
      return [{ name: "records", verdict: "good", text: `${known(id).seq} kept` }];
    },
  };
}

/** The records of what `export` gave. */
function recordsOf(name: string, text: string): readonly JournalRecord[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const read = readRecord(parsed(line));
      if (read.type === "record") return read.record;
      throw new AppError("import.unknown-format", `${name}: it is no session file`);
    });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
