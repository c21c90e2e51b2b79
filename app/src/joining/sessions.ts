import { createInterface } from "node:readline";
import { attachSession, compactHere, oneOf, renameHere, type Streams } from "@capstan/cli";
import { type Role, roles } from "@capstan/protocol";
import { identityHere } from "../asking/local-origin.ts";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { onStopSignal, processStreams } from "../terminal.ts";
import { withClient } from "./open-client.ts";
import { sessionMeant } from "./session-here.ts";
import { type TerminalLines, type TypingOptions, typedLines } from "./typed-lines.ts";

export interface AttachFlags extends SettingsFlags {
  readonly role: string;
  readonly steer?: boolean;
  readonly outputFormat: string;
}

/** `capstan sessions attach ID`: follows a session that may be open in another process, and writes to it through that process. */
export async function attachToSession(named: string | undefined, flags: AttachFlags): Promise<number> {
  const role = oneOf<Role>(roles, flags.role, "--role");
  const format = oneOf(["text", "stream-json"] as const, flags.outputFormat, "--output-format");
  return await withClient(flags, async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const session = await client.open({ type: "resume", id }, { identity: identityHere(role), purpose: "watch" });
    const detaching = new AbortController();
    const stopListening = onStopSignal(() => detaching.abort());
    const canWrite = role !== "watch";
    const typed = await linesHere(format, { canWrite, onEnd: () => detaching.abort() });
    try {
      await attachSession(
        {
          session,
          lines: (canWrite ? typed.lines : undefined) ?? null,
          ...(typed.keys === undefined ? {} : { keys: typed.keys }),
          delivery: flags.steer === true ? "steer" : "queue",
          format,
          newTurnId: () => client.newTurnId(),
          signal: detaching.signal,
        },
        typed.streams,
      );
    } finally {
      typed.close();
      process.stdin.destroy();
      stopListening();
      await session.close();
    }
    return 0;
  });
}

interface LinesHere extends Partial<Pick<TerminalLines, "lines" | "keys">> {
  readonly streams: Streams;
  close(): void;
}

/** What is typed or sent here, line by line. */
async function linesHere(format: string, options: TypingOptions): Promise<LinesHere> {
  const { stdin, stderr } = process;
  const streams = processStreams(false);
  if (format === "text" && streams.canErase === true && stdin.isTTY)
    return await typedLines([stdin, stderr], streams, options);
  if (!options.canWrite) return { streams, close() {} };
  const lines = createInterface({ input: stdin, terminal: false });
  return { lines, streams, close: () => lines.close() };
}

/** `capstan sessions rename ID TITLE`: exit code 1 when nothing changed. Where no process has it open, it takes no model and no key. */
export async function renameSession(idOrPrefix: string, title: string, flags: SettingsFlags): Promise<number> {
  return await withClient(flags, async (client) => {
    const id = await client.sessions.resolve(idOrPrefix);
    return await renameHere(client, { id, title }, identityHere("operate"), processStreams(false));
  });
}

export interface CompactFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** `capstan sessions compact ID`: exit code 1 when there was nothing to summarise, or the model gave no summary. */
export async function compactSession(named: string | undefined, flags: CompactFlags): Promise<number> {
  return await withClient(flags, async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    return await compactHere(client, { id, json: flags.json === true }, identityHere("operate"), processStreams(false));
  });
}
