import type { SessionStore } from "@capstan/ports";
import {
  AppError,
  type ImportReport,
  type JournalRecord,
  messageOf,
  type SessionConfig,
  type SessionEvent,
  type SessionFile,
  type SessionId,
  toSessionId,
  type Workspace,
} from "@capstan/protocol";
import {
  asData,
  importNotice,
  named,
  readForeign,
  type ReadSessionFile,
  readSessionFile,
  toJournal,
} from "@capstan/importers";

export interface ImportOptions {
  readonly version: string;
  readonly now: number;
  readonly newId: () => string;
  /** Where the session is to live: the directories of the run that imports it, never those of the file. */
  readonly workspace: () => Promise<Workspace>;
  /** Asked for only when the file is another agent's. */
  readonly config: () => Promise<SessionConfig>;
  readonly redact: (text: string) => string;
}

/**
 * Stores the session of a file, whichever agent wrote it.
 * @throws {AppError} `import.unknown-format`, `import.empty`, `import.broken`, `usage.invalid` for an id that is taken
 */
export async function importSession(
  store: SessionStore,
  file: SessionFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const { name } = file;
  const own = readSessionFile(file.text);
  const imported = own === undefined ? await fromForeign(file, options) : await fromOwn(file, own, options);
  if (imported.events.length === 0) {
    throw new AppError("import.empty", `${name}: there is nothing of a session in it`, {
      hint: "It was recognised, but holds no word of a user or a model. Is it the right file?",
    });
  }
  await assertFree(store, imported.sessionId);
  const { events, ...report } = imported;
  const counts = await sound(name, () => counted(events));
  await sound(name, async () => store.restore(imported.sessionId, events));
  return { ...report, ...counts, records: events.length };
}

/** A record that is not what its type says is found here, and not when the session is opened. */
async function sound<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("import.broken", `${name}: a record in it is not what its type says: ${messageOf(error)}`, {
      cause: error,
      hint: "Nothing was imported. It was not written by Capstan, or was changed since; export the session again.",
    });
  }
}

type Imported = Pick<ImportReport, "sessionId" | "agent" | "foreignId" | "healed" | "notes"> & {
  readonly events: readonly SessionEvent[];
};

async function fromOwn(
  { name, as, heal }: SessionFile,
  file: ReadSessionFile,
  options: ImportOptions,
): Promise<Imported> {
  const { header, events, problem } = file;
  if (problem !== null && heal !== true) {
    throw new AppError("import.broken", `${name}: ${problem}`, {
      hint:
        events.length === 0
          ? "Nothing before it can be kept; export the session again."
          : `Nothing was imported. \`--heal\` keeps the ${events.length} records before it.`,
    });
  }
  const workspace = await options.workspace();
  const broken = problem === null ? [] : [`The file is broken, and only its good beginning was kept: ${problem}.`];
  const redacted = header.redacted ? ["The file was exported without its secrets: *** stands for them."] : [];
  const sessionId = checkedId(as ?? header.sessionId);
  return {
    sessionId,
    agent: "Capstan",
    foreignId: header.sessionId,
    events: await sound(name, () => asData(events, { sessionId, workspace, foreignId: header.sessionId })),
    healed: {},
    notes: [...broken, ...redacted, ...otherDirectory(events, workspace)],
  };
}

function otherDirectory(events: readonly SessionEvent[], { cwd }: Workspace): readonly string[] {
  const [first] = events;
  if (first?.record.type !== "session-started" || first.record.workspace.cwd === cwd) return [];
  return [`It worked in ${first.record.workspace.cwd}; here it works in ${cwd}.`];
}

async function fromForeign({ name, text, as }: SessionFile, options: ImportOptions): Promise<Imported> {
  const read = readForeign(text);
  if (read === undefined) {
    throw new AppError("import.unknown-format", `${name}: it is no session file that Capstan knows`, {
      hint: "Known are those of Capstan, Claude Code, Codex CLI, pi, opencode (its export, folder or database), Gemini CLI and Ted.",
    });
  }
  const { session, healing } = read;
  const sessionId = checkedId(as ?? options.newId());
  const [config, workspace] = [await options.config(), await options.workspace()];
  const opening: readonly JournalRecord[] = [
    { type: "session-started", sessionId, workspace, origin: { frontend: "import" }, version: options.version },
    { type: "session-configured", config },
    {
      type: "notice",
      level: "info",
      code: "session.imported",
      text: importNotice(session.agent, session.id),
    },
  ];
  const journal = toJournal(session, { sessionId, opening, now: options.now, redact: options.redact }, healing);
  return {
    sessionId,
    agent: session.agent,
    foreignId: session.id,
    events: journal.turns === 0 ? [] : named(journal.events, session.agent, session.id),
    healed: healing.counts(),
    notes: [],
  };
}

function checkedId(id: string): SessionId {
  if (/^[\w-]{1,64}$/.test(id)) return toSessionId(id);
  throw new AppError("usage.invalid", `${JSON.stringify(id)} cannot be the id of a session`, {
    hint: "Give another with --as: up to 64 letters, digits, - and _.",
  });
}

async function assertFree(store: SessionStore, id: SessionId): Promise<void> {
  if (!(await store.findIds(id, 1)).includes(id)) return;
  throw new AppError("usage.invalid", `the session ${id} exists already`, {
    hint: "Import it under another id with --as, or delete the one that is there.",
  });
}

function counted(events: readonly SessionEvent[]): Pick<ImportReport, "turns" | "calls"> {
  const records = events.map((event) => event.record);
  const calls = records.flatMap((record) =>
    record.type === "step-completed" ? record.message.content.filter((block) => block.type === "tool-call") : [],
  );
  return { turns: records.filter((record) => record.type === "turn-started").length, calls: calls.length };
}
