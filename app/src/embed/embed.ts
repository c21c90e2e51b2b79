import { createHost } from "@capstan/host";
import { serveLines } from "@capstan/jsonl";
import { AppError, type CancelReason, exitCodes, type Role, roles } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { oneOf } from "@capstan/cli";
import { localOrigin } from "../asking/local-origin.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { version } from "../version.ts";

export interface EmbedFlags extends SettingsFlags {
  readonly role: string;
  readonly detach?: boolean;
  /** What only another dialect has. */
  readonly prompt?: string;
}

/** `capstan embed`: serves the engine to the program that started this process. Standard output carries the protocol and nothing else. */
export async function embed(flags: EmbedFlags): Promise<number> {
  const role = oneOf<Role>(roles, flags.role, "--role");
  if (flags.prompt !== undefined)
    throw new AppError("usage.invalid", "only `--dialect ted` takes a prompt here: what to do comes as lines", {
      hint: "See docs/embed.md.",
    });
  if (process.stdin.isTTY)
    throw new AppError("usage.invalid", "`capstan embed` speaks with a program, and standard input is a terminal", {
      hint: "Start it from a program, with pipes; docs/embed.md shows how.",
    });
  const settings = await settingsFromFlags(flags);
  for (const warning of settings.loaded.warnings) warn(warning);
  for (const { text } of settings.trust.notices) warn(text);
  if (isYolo(flags)) warn("WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.");
  const host = await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version,
    isShared: true,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
  });
  const stopping = new AbortController();
  let stopped: CancelReason | undefined;
  const stopListening = onStopSignal((reason) => {
    stopped = reason;
    stopping.abort();
  });
  const { user } = localOrigin();
  try {
    await serveLines(host.client, {
      input: process.stdin,
      output: process.stdout,
      identity: { frontend: "embed", role, ...(user === undefined ? {} : { user }) },
      version,
      atEnd: flags.detach === true ? "detach" : "finish-turns",
      signal: stopping.signal,
    });
  } finally {
    await host.close();
    stopListening();
  }
  return stopped === undefined || !process.stdout.writable ? 0 : exitCodes[stopped];
}

/** What a program's developer reads beside its own log. */
function warn(text: string): void {
  process.stderr.write(`capstan: ${inertText(text)}\n`);
}
