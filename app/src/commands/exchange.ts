import { markdownTranscript } from "@capstan/cli";
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import {
  dataDirectory,
  environmentRedactor,
  SessionArchive,
  systemChance,
  systemClock,
  deleteSession,
  forkSession,
  importSession,
  type ImportReport,
  openSessions,
  presentConfig,
  readSource,
  sessionFileLines,
} from "@capstan/host";
import { AppError, messageOf, type SessionId } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { version } from "../version.ts";

const lineCharacters = 2000;

export interface ExportFlags {
  readonly format: string;
  readonly exact?: boolean;
  readonly output?: string;
}

/** `capstan sessions export ID`: lossless JSON lines, or a transcript to read. */
export async function exportSession(idOrPrefix: string, flags: ExportFlags): Promise<number> {
  const { format } = flags;
  if (format !== "jsonl" && format !== "markdown") {
    throw new AppError("usage.invalid", `--format ${JSON.stringify(format)}: jsonl or markdown is expected`);
  }
  return withSession(idOrPrefix, async (store, sessionId) => {
    const events = await store.readChained(sessionId);
    const redact = flags.exact === true ? undefined : environmentRedactor(process.env);
    const lines =
      format === "jsonl"
        ? sessionFileLines(events, { sessionId, version, ...(redact === undefined ? {} : { redact }) })
        : markdownTranscript(sessionId, events, redact);
    writeLines(lines, flags.output);
    return 0;
  });
}

/** Never over a file that is there: it might be the only copy of something. */
function writeLines(lines: Iterable<string>, file: string | undefined): void {
  if (file === undefined) {
    for (const line of lines) process.stdout.write(`${line}\n`);
    return;
  }
  try {
    writeFileSync(file, [...lines, ""].join("\n"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new AppError("usage.invalid", `-o ${JSON.stringify(file)} cannot be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Name a file that is not there yet.",
    });
  }
  process.stderr.write(`${inertText(`Written to ${file}.`)}\n`);
}

export interface ImportFlags extends SettingsFlags {
  readonly as?: string;
  readonly heal?: boolean;
  readonly json?: boolean;
}

/** `capstan sessions import FILE`: a session of Capstan's own or of another agent's. */
export async function importSessionFile(file: string, flags: ImportFlags): Promise<number> {
  const text = await readSource(file);
  let loading: ReturnType<typeof settingsFromFlags> | undefined;
  const settings = (): ReturnType<typeof settingsFromFlags> => (loading ??= settingsFromFlags(flags));
  const { store } = await openSessions(dataDirectory(process.env));
  try {
    const report = await importSession(
      store,
      { name: inertLine(basename(file), lineCharacters), text },
      {
        ...(flags.as === undefined ? {} : { as: flags.as }),
        heal: flags.heal === true,
        version,
        now: systemClock.now(),
        newId: () => systemChance.id(),
        workspace: async () => (await settings()).workspace,
        config: async () => await presentConfig(await settings()),
        redact: environmentRedactor(process.env),
      },
    );
    if (flags.json === true) print(JSON.stringify(report));
    else for (const line of importSummary(report)) print(inertText(line));
    return 0;
  } finally {
    await store.close();
  }
}

function importSummary({ sessionId, agent, foreignId, turns, calls, healed, notes }: ImportReport): readonly string[] {
  const from = foreignId === "" ? agent : `${agent} ${foreignId}`;
  return [
    `Imported as ${sessionId} (from ${from}): ${counted(turns, "turn")}, ${counted(calls, "tool call")}.`,
    ...Object.entries(healed).map(([what, count]) => `  ${count} × ${what}`),
    ...notes.map((note) => `  ${note}`),
    `Resume with: capstan run --resume ${sessionId} "…"`,
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** `capstan sessions fork ID`: prints the id of the copy. */
export async function forkSessionCommand(idOrPrefix: string, flags: { readonly json?: boolean }): Promise<number> {
  return withSession(idOrPrefix, async (store, id) => {
    const fork = await forkSession(store, id, { chance: systemChance, origin: { frontend: "cli" }, version });
    print(flags.json === true ? JSON.stringify({ sessionId: fork, forkedFrom: id }) : fork);
    return 0;
  });
}

/** `capstan sessions delete ID`: for good; refused while somebody works in it. */
export async function deleteSessionCommand(idOrPrefix: string, flags: { readonly yes?: boolean }): Promise<number> {
  return withSession(idOrPrefix, async (store, id) => {
    const confirm = async (): Promise<boolean> => flags.yes === true || (await isConfirmed(id));
    const isDeleted = await deleteSession(store, id, { clock: systemClock, chance: systemChance, confirm });
    if (isDeleted) print(`Deleted ${id}.`);
    else process.stderr.write("Nothing was deleted.\n");
    return isDeleted ? 0 : 1;
  });
}

async function isConfirmed(id: SessionId): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new AppError("usage.invalid", `deleting session ${id} cannot be taken back`, {
      hint: "Say so with --yes. `capstan sessions export` keeps a copy.",
    });
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(`Delete session ${id} for good? [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

type Store = Awaited<ReturnType<typeof openSessions>>["store"];

async function withSession(
  idOrPrefix: string,
  work: (store: Store, id: SessionId) => Promise<number>,
): Promise<number> {
  const { store } = await openSessions(dataDirectory(process.env));
  try {
    return await work(store, await new SessionArchive(store).resolve(idOrPrefix));
  } finally {
    await store.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
