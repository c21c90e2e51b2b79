import { oneOf, exportLines, importFile } from "@capstan/cli";
import { openSync, closeSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { readSource } from "@capstan/host";
import { AppError, messageOf, type SessionId } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";
import { identityHere } from "../asking/local-origin.ts";
import { typedLine } from "../asking/typed-line.ts";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { withClient, withStoredSessions } from "../joining/open-client.ts";
import { sessionMeant } from "../joining/session-here.ts";
import { processStreams } from "../terminal.ts";

const lineCharacters = 2000;

export interface ExportFlags {
  readonly format: string;
  readonly exact?: boolean;
  readonly output?: string;
}

/** `capstan sessions export ID`: lossless JSON lines, or a transcript to read. */
export async function exportSession(named: string | undefined, flags: ExportFlags): Promise<number> {
  const format = oneOf(["jsonl", "markdown"] as const, flags.format, "--format");
  // The configuration says what is secret, too: without one that can be read nothing is exported.
  return await withClient({}, async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const request = { format, exact: flags.exact === true };
    await writeLines(exportLines(client, id, request, identityHere("operate")), flags.output);
    return 0;
  });
}

/** Never over a file that is there: it might be the only copy of something. */
async function writeLines(lines: AsyncIterable<string>, file: string | undefined): Promise<void> {
  if (file === undefined) {
    for await (const line of lines) process.stdout.write(`${line}\n`);
    return;
  }
  const descriptor = openNew(file);
  try {
    for await (const line of lines) writeSync(descriptor, `${line}\n`);
  } finally {
    closeSync(descriptor);
  }
  process.stderr.write(`${inertText(`Written to ${file}.`)}\n`);
}

function openNew(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    throw new AppError("usage.invalid", `-o ${JSON.stringify(file)} cannot be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Name a file that is not there yet.",
    });
  }
}

export interface ImportFlags extends SettingsFlags {
  readonly as?: string;
  readonly heal?: boolean;
  readonly json?: boolean;
}

/** `capstan sessions import FILE`: a session of Capstan's own or of another agent's. */
export async function importSessionFile(file: string, flags: ImportFlags): Promise<number> {
  const { as, heal, json } = flags;
  const read = {
    name: inertLine(basename(file), lineCharacters),
    text: await readSource(file),
    ...(as === undefined ? {} : { as }),
    ...(heal === undefined ? {} : { heal }),
  };
  const { result } = processStreams(false);
  return await withClient(flags, (client) =>
    importFile(client, read, identityHere("operate"), { result, json: json === true }),
  );
}

/** `capstan sessions fork ID`: prints the id of the copy. */
export async function forkSessionCommand(
  named: string | undefined,
  flags: { readonly json?: boolean },
): Promise<number> {
  return await withStoredSessions(async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const fork = await client.sessions.copy(id, identityHere("operate"));
    print(flags.json === true ? JSON.stringify({ sessionId: fork, forkedFrom: id }) : fork);
    return 0;
  });
}

/** `capstan sessions delete ID`: for good; refused while somebody works in it. */
export async function deleteSessionCommand(idOrPrefix: string, flags: { readonly yes?: boolean }): Promise<number> {
  return await withStoredSessions(async (client) => {
    const id = await client.sessions.resolve(idOrPrefix);
    if (flags.yes !== true && !(await isConfirmed(id))) {
      process.stderr.write("Nothing was deleted.\n");
      return 1;
    }
    await client.sessions.delete(id, identityHere("operate"));
    print(`Deleted ${id}.`);
    return 0;
  });
}

async function isConfirmed(id: SessionId): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new AppError("usage.invalid", `deleting session ${id} cannot be taken back`, {
      hint: `\`capstan sessions delete ${id} --yes\` says that it is meant; \`capstan sessions export ${id}\` keeps a copy.`,
    });
  }
  const typed = await typedLine(`Delete session ${id} for good? [y/N] `);
  return /^\s*y(?:es)?\s*$/i.test(typed ?? "");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
