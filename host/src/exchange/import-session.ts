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
  wholeText,
  type Workspace,
} from "@capstan/protocol";
import {
  type Arrival,
  asData,
  importNotice,
  named,
  readForeign,
  type ReadSessionFile,
  readSessionFile,
  type SessionData,
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
  if (imported.records === 0) {
    throw new AppError("import.empty", `${name}: there is nothing of a session in it`, {
      hint: "It was recognised, but holds no word of a user or a model. Is it the right file?",
    });
  }
  await assertFree(store, imported.sessionId);
  const { events, ...report } = imported;
  await sound(name, async () => store.restore(imported.sessionId, events()));
  return report;
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

type Imported = ImportReport & {
  readonly events: () => Iterable<SessionEvent>;
};

async function fromOwn(
  { name, as, heal }: SessionFile,
  file: ReadSessionFile,
  options: ImportOptions,
): Promise<Imported> {
  const { header } = file;
  const workspace = await options.workspace();
  const sessionId = checkedId(as ?? header.sessionId);
  const arrival = { sessionId, workspace, foreignId: header.sessionId };
  const { problem, read, cwd, events, ...counts } = await sound(name, () =>
    readAsData(file, arrival, { name, heal: heal === true }),
  );
  if (problem !== null && heal !== true) throw brokenFile(name, problem, read);
  const broken = problem === null ? [] : [`The file is broken, and only its good beginning was kept: ${problem}.`];
  const redacted = header.redacted ? ["The file was exported without its secrets: *** stands for them."] : [];
  return {
    sessionId,
    agent: "Capstan",
    foreignId: header.sessionId,
    ...counts,
    events,
    healed: {},
    notes: [...broken, ...redacted, ...otherDirectory(cwd, workspace)],
  };
}

/** That the file is broken is said before what its records are. */
function readAsData(
  file: ReadSessionFile,
  arrival: Arrival,
  { name, heal }: { readonly name: string; readonly heal: boolean },
): SessionData {
  try {
    return asData(file, arrival);
  } catch (error) {
    const { problem, read } = lookThrough(file);
    if (problem === null || heal) throw error;
    throw brokenFile(name, problem, read);
  }
}

function lookThrough(file: ReadSessionFile): { readonly problem: string | null; readonly read: number } {
  const events = file.events();
  let read = 0;
  for (;;) {
    const next = events.next();
    if (next.done === true) return { problem: next.value, read };
    read += 1;
  }
}

function brokenFile(name: string, problem: string, read: number): AppError {
  return new AppError("import.broken", `${name}: ${problem}`, {
    hint:
      read === 0
        ? "Nothing before it can be kept; export the session again."
        : `Nothing was imported. \`--heal\` keeps the ${read} records before it.`,
  });
}

function otherDirectory(there: string | null, { cwd }: Workspace): readonly string[] {
  return there === null || there === cwd ? [] : [`It worked in ${there}; here it works in ${cwd}.`];
}

async function fromForeign({ name, text, as }: SessionFile, options: ImportOptions): Promise<Imported> {
  const read = readForeign(wholeText(text));
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
    ...reportOf(journal.turns === 0 ? [] : named(journal.events, session.agent, session.id)),
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

function reportOf(events: readonly SessionEvent[]): Pick<Imported, "events" | "records" | "turns" | "calls"> {
  const records = events.map((event) => event.record);
  const calls = records.flatMap((record) =>
    record.type === "step-completed" ? record.message.content.filter((block) => block.type === "tool-call") : [],
  );
  const turns = records.filter((record) => record.type === "turn-started").length;
  return { events: () => events, records: records.length, turns, calls: calls.length };
}
