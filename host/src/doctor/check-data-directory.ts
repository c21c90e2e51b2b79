import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { SessionStore } from "@capstan/ports";
import { AppError, messageOf, type SessionId } from "@capstan/protocol";
import { inspectDatabase } from "@capstan/storage";
import { type DataDirectory, prepareDataDirectory } from "@capstan/settings";
import { openSessions } from "../exchange/open-sessions.ts";
import type { Check } from "@capstan/protocol";
import { bad, good, note } from "@capstan/doctor";
import { minFreeBytes } from "../limits.ts";

const bytesPerMegabyte = 1024 * 1024;

/** The place of everything: whether it can be written, is private, has room, and holds a sound database. */
export async function checkDataDirectory(home: string): Promise<readonly Check[]> {
  let data: DataDirectory;
  try {
    data = await prepareDataDirectory(home);
  } catch (error) {
    return [problem("data directory", error, "Make it writable, or set CAPSTAN_HOME to a directory that is.")];
  }
  return [
    good("data directory", data.root),
    ...checkPrivacy(data),
    await checkSpace(data.root),
    ...(await checkDatabase(data)),
  ];
}

/** Others must not read what was said. */
function checkPrivacy({ root, database, configFile, ...folders }: DataDirectory): readonly Check[] {
  const found = [root, database, configFile, ...Object.values(folders)].flatMap((path) => {
    const quoted = `'${path.replaceAll("'", String.raw`'\''`)}'`;
    try {
      if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) === 0) return [];
      return [bad("privacy", `others on this machine may open ${path}`, `Run: chmod go-rwx ${quoted}`)];
    } catch (error) {
      // A link in a circle, or through a file.
      return [problem("data directory", error, `Move it away: mv ${quoted} ${quoted}.old`)];
    }
  });
  return found.length > 0 ? found : [good("privacy", "only you can read it")];
}

async function checkSpace(root: string): Promise<Check> {
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  const text = `${Math.floor(free / bytesPerMegabyte)} MB free`;
  if (free >= minFreeBytes) return good("disk", text);
  return bad("disk", text, "Free some space: a turn stops when the disk is full.");
}

async function checkDatabase({ database, root }: DataDirectory): Promise<readonly Check[]> {
  if (!existsSync(database)) return [note("database", "there is none yet; the first session makes it")];
  try {
    // Opened as a run would: a version that is too new, or a file that is none of ours, says so here.
    const { store } = await openSessions(root);
    const [sessions, pending, grants] = await Promise.all([
      store.list(),
      store.pendingInteractions(),
      store.grants.list(),
    ]);
    const broken = await brokenSessions(
      store,
      sessions.map(({ id }) => id),
    );
    await store.close();
    const { schemaVersion, bytes, problems } = inspectDatabase(database);
    const size = `${Math.ceil(bytes / bytesPerMegabyte)} MB`;
    const counts = [counted(sessions.length, "session"), counted(pending.length, "open question")];
    const text = [`version ${schemaVersion}`, size, ...counts, counted(grants.length, "grant")].join(", ");
    if (problems.length > 0)
      return [bad("database", `${text}; SQLite says: ${problems.join("; ")}`, repairAdvice), ...broken];
    return [good("database", `${text}, sound`), ...broken];
  } catch (error) {
    return [problem("database", error, repairAdvice)];
  }
}

const repairAdvice = "Run `capstan doctor --repair`: it saves every record that can be read, after a backup.";

/** Whether every chain holds, in one line where it does. */
async function brokenSessions(store: SessionStore, ids: readonly SessionId[]): Promise<readonly Check[]> {
  const broken: Check[] = [];
  for (const id of ids) {
    const [first] = (await store.check(id)).filter(({ kind }) => kind !== "newer-version");
    if (first !== undefined)
      broken.push(bad(`session ${id}`, first.text, `\`capstan doctor ${id}\` says more. ${repairAdvice}`));
  }
  if (broken.length > 0) return broken;
  return [good("journals", `${counted(ids.length, "chain")} verified`)];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function problem(name: string, error: unknown, advice: string): Check {
  return bad(name, messageOf(error), (error instanceof AppError ? error.hint : undefined) ?? advice);
}
