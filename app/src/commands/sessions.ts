import {
  jsonLine,
  SessionLines,
  sessionListLines,
  sessionTree,
  sessionTreeLines,
  taskLines,
  treeEntry,
  type TreeEntry,
} from "@capstan/cli";
import { dataDirectory, openArchive, type SessionArchive, interruptedWork } from "@capstan/host";
import { AppError, type SessionEvent, type SessionId, type SessionSummary } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { sessionMeant } from "../joining/session-here.ts";
import { screenWidth } from "../terminal.ts";

export interface ListingFlags {
  readonly json?: boolean;
  readonly limit?: string;
  readonly agents?: boolean;
}

/** `capstan sessions list`: newest first. */
export async function listSessions(words: readonly string[], flags: ListingFlags): Promise<number> {
  const limit = flags.limit === undefined ? undefined : countOf(flags.limit);
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const all = await archive.list();
    const listed = all.filter(({ spawnedBy }) => flags.agents === true || spawnedBy === undefined);
    const shown = listed.filter((session) => hasWords(session, words)).slice(0, limit);
    if (flags.json === true) for (const session of shown) print(JSON.stringify(session));
    else if (shown.length === 0) print(listed.length === 0 ? "No sessions yet." : "No session has these words.");
    else {
      const owned = await ownedSessions(archive, shown);
      for (const line of sessionListLines(shown, { all, owned, now: Date.now(), ...screenWidth() })) print(line);
    }
    return 0;
  } finally {
    await archive.close();
  }
}

/** Each word stands in its title, its folder or its id. */
function hasWords({ id, title, cwd }: SessionSummary, words: readonly string[]): boolean {
  const text = `${id} ${title} ${cwd}`.toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

/** `capstan sessions tree`: a session with those of its agents, and theirs. */
export async function showTree(named: string | undefined, flags: Pick<ListingFlags, "json">): Promise<number> {
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const id = await sessionMeant({ sessions: archive }, named, process.cwd());
    const tree = await treeEntries(archive, id);
    if (flags.json === true)
      for (const { session, depth, state, costUsd } of tree)
        print(JSON.stringify({ ...session, depth, state, costUsd }));
    else for (const line of sessionTreeLines(tree, Date.now())) print(line);
    return 0;
  } finally {
    await archive.close();
  }
}

async function treeEntries(archive: SessionArchive, id: SessionId): Promise<readonly TreeEntry[]> {
  const tree = sessionTree(await archive.list(), id);
  const sessions = tree.map(({ session }) => session);
  const owned = await ownedSessions(archive, sessions);
  const entries: TreeEntry[] = [];
  for (const node of tree) {
    // oxlint-disable-next-line no-await-in-loop -- one journal at a time is read, and none is held
    const { costUsd } = await archive.outline(node.session.id);
    entries.push(treeEntry(node, { owned, costUsd }));
  }
  return entries;
}

/** Of those whose last turn has not ended, the ones that a living process writes to. */
async function ownedSessions(
  archive: SessionArchive,
  sessions: readonly SessionSummary[],
): Promise<ReadonlySet<SessionId>> {
  const owned = new Set<SessionId>();
  for (const { id, lastOutcome } of sessions) {
    // oxlint-disable-next-line no-await-in-loop -- few turns are open, and each look is one row
    if (lastOutcome === undefined && (await archive.writer(id)) !== null) owned.add(id);
  }
  return owned;
}

export interface ShowFlags {
  readonly json?: boolean;
  readonly follow?: boolean;
}

/** `capstan sessions show`: what was said and done, what it cost, and what is under way. */
export async function showSession(named: string | undefined, flags: ShowFlags): Promise<number> {
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const id = await sessionMeant({ sessions: archive }, named, process.cwd());
    const transcript = new SessionLines(screenWidth().width);
    let seen = 0;
    const show = (event: SessionEvent): void => {
      seen = event.seq;
      if (flags.json === true) print(jsonLine({ ...event.record, seq: event.seq, at: event.at }));
      else for (const line of transcript.lines(event)) print(line);
    };
    // Which turns have a number is known at the end. A long session is read twice, and never held.
    const shape = flags.json === true ? null : await archive.outline(id, (event) => transcript.learn(event));
    for await (const event of archive.events(id)) show(event);
    if (flags.follow === true) await archive.follow(id, seen, (events) => events.forEach(show));
    if (shape === null) return 0;
    const now = flags.follow === true ? await archive.outline(id) : shape;
    for (const line of await endLines(archive, id, { now, spending: transcript.spending })) print(line);
    return 0;
  } finally {
    await archive.close();
  }
}

async function endLines(
  archive: SessionArchive,
  id: SessionId,
  { now, spending }: { readonly now: Awaited<ReturnType<SessionArchive["outline"]>>; readonly spending: string },
): Promise<readonly string[]> {
  const writer = await archive.writer(id);
  const interrupted = interruptedWork(now);
  const state =
    writer === null
      ? interrupted === null
        ? []
        : [`Interrupted: ${inertText(interrupted)}.`, `  capstan run --resume ${id}`]
      : [`Open in process ${writer.processId} (${inertText(writer.frontend)}); --follow reads along.`];
  const { tasks } = now;
  const list = tasks.length === 0 ? [] : ["Tasks:", ...taskLines(tasks).map((task) => `  ${task}`)];
  return ["", ...list, ...state, `The session: ${spending}`];
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `--limit takes a number from 1 on, not ${JSON.stringify(text)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
