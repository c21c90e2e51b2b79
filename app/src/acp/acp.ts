import { serveAcp } from "@capstan/acp";
import { oneOf } from "@capstan/cli";
import { AppError, type CancelReason, exitCodes, type Role, roles } from "@capstan/protocol";
import { localOrigin } from "../asking/local-origin.ts";
import { checkSettingsFlags, isYolo, type SettingsFlags } from "../command-line/settings-flags.ts";
import { onStopSignal } from "../terminal.ts";
import { version } from "../version.ts";
import { HostPlaces } from "./engine-places.ts";
import { setUp } from "./set-up.ts";

export interface AcpFlags extends SettingsFlags {
  readonly role: string;
  readonly setup?: boolean;
}

/** `capstan acp`: serves the editor that started this process. Standard output carries the protocol and nothing else. */
export async function acp(flags: AcpFlags): Promise<number> {
  if (flags.setup === true) return await setUp();
  const role = oneOf<Role>(roles, flags.role, "--role");
  checkSettingsFlags(flags);
  if (process.stdin.isTTY)
    throw new AppError("usage.invalid", "`capstan acp` speaks with an editor, and standard input is a terminal", {
      hint: "Let the editor start it; docs/acp.md shows how. `capstan acp --setup` writes the configuration.",
    });
  if (isYolo(flags))
    process.stderr.write(
      "capstan: WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.\n",
    );
  const stopping = new AbortController();
  let stopped: CancelReason | undefined;
  const stopListening = onStopSignal((reason) => {
    stopped = reason;
    stopping.abort();
  });
  const { user } = localOrigin();
  const places = new HostPlaces(flags);
  try {
    await serveAcp({
      places,
      input: process.stdin,
      output: process.stdout,
      identity: { frontend: "acp", role, ...(user === undefined ? {} : { user }) },
      version,
      signal: stopping.signal,
    });
  } finally {
    await places.close();
    stopListening();
  }
  return stopped === undefined || !process.stdout.writable ? 0 : exitCodes[stopped];
}
