import { createInterface } from "node:readline";
import { attachSession, compactHere, oneOf, renameHere } from "@capstan/cli";
import { type Role, roles } from "@capstan/protocol";
import { identityHere } from "../asking/local-origin.ts";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { onStopSignal, processStreams } from "../terminal.ts";
import { withClient } from "./open-client.ts";

export interface AttachFlags extends SettingsFlags {
  readonly role: string;
  readonly steer?: boolean;
  readonly outputFormat: string;
}

/** `capstan sessions attach ID`: follows a session that may be open in another process, and writes to it through that process. */
export async function attachToSession(idOrPrefix: string, flags: AttachFlags): Promise<number> {
  const role = oneOf<Role>(roles, flags.role, "--role");
  const format = oneOf(["text", "stream-json"] as const, flags.outputFormat, "--output-format");
  return await withClient(flags, async (client) => {
    const id = await client.sessions.resolve(idOrPrefix);
    const session = await client.open({ type: "resume", id }, { identity: identityHere(role), purpose: "watch" });
    const detaching = new AbortController();
    const stopListening = onStopSignal(() => detaching.abort());
    const typed = role === "watch" ? null : createInterface({ input: process.stdin, terminal: false });
    try {
      await attachSession(
        {
          session,
          lines: typed,
          delivery: flags.steer === true ? "steer" : "queue",
          format,
          newTurnId: () => client.newTurnId(),
          signal: detaching.signal,
        },
        processStreams(false),
      );
    } finally {
      typed?.close();
      process.stdin.destroy();
      stopListening();
      await session.close();
    }
    return 0;
  });
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
export async function compactSession(idOrPrefix: string, flags: CompactFlags): Promise<number> {
  return await withClient(flags, async (client) => {
    const id = await client.sessions.resolve(idOrPrefix);
    return await compactHere(client, { id, json: flags.json === true }, identityHere("operate"), processStreams(false));
  });
}
