import { createInterface } from "node:readline";
import { attachSession } from "@capstan/cli";
import { openMaintenance } from "@capstan/host";
import { AppError, type Receipt, type Role, roles } from "@capstan/protocol";
import { oneOf } from "@capstan/cli";
import { identityHere } from "../asking/local-origin.ts";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { onStopSignal, processStreams } from "../terminal.ts";
import { version } from "../version.ts";
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
          lines: typed ?? noLines(),
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

/** `capstan sessions rename ID TITLE`: exit code 1 when nothing changed. */
export async function renameSession(idOrPrefix: string, title: string, flags: SettingsFlags): Promise<number> {
  const receipt = await renameHere(idOrPrefix, title, flags);
  if (receipt.type === "accepted") return 0;
  process.stderr.write(`capstan: nothing changed: ${receipt.reason} [${receipt.code}]\n`);
  return 1;
}

/** Without an owner it takes no model and no key; with one, the owner does it. */
async function renameHere(idOrPrefix: string, title: string, flags: SettingsFlags): Promise<Receipt> {
  const identity = identityHere("operate");
  const maintenance = await openMaintenance(await settingsFromFlags(flags), { version, report: reportProblem });
  try {
    return await maintenance.rename(await maintenance.resolve(idOrPrefix), title, identity);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "session.busy") throw error;
  } finally {
    await maintenance.close();
  }
  return await withClient(flags, async (client) => {
    const id = await client.sessions.resolve(idOrPrefix);
    const session = await client.open({ type: "resume", id }, { identity, purpose: "watch" });
    try {
      return await session.submit({ type: "title", title });
    } finally {
      await session.close();
    }
  });
}

async function* noLines(): AsyncGenerator<string, void> {
  // Who only watches sends nothing.
}
