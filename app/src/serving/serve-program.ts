import { createHost, type Host, type HostOptions, type Settings } from "@capstan/host";
import { type CancelReason, type ClientIdentity, exitCodes, type Role } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { localOrigin } from "../asking/local-origin.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { version } from "../version.ts";

/** What a program is served on. */
export interface ServedStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly identity: ClientIdentity;
  readonly version: string;
  /** Aborts when this process is asked to stop. */
  readonly signal: AbortSignal;
}

export interface Served {
  readonly frontend: ClientIdentity["frontend"];
  readonly role: Role;
  readonly serve: (streams: ServedStreams) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves the program that started this process on standard input and output, to its end. @returns the exit code */
export async function serveProgram({ frontend, role, serve, close }: Served): Promise<number> {
  const stopping = new AbortController();
  let stopped: CancelReason | undefined;
  const stopListening = onStopSignal((reason) => {
    stopped = reason;
    stopping.abort();
  });
  const { user } = localOrigin();
  const identity = { frontend, role, ...(user === undefined ? {} : { user }) };
  try {
    await serve({ input: process.stdin, output: process.stdout, identity, version, signal: stopping.signal });
  } finally {
    await close();
    stopListening();
  }
  return stopped === undefined || !process.stdout.writable ? 0 : exitCodes[stopped];
}

/** A host that programs are served from, after its settings' warnings were written beside the program's own log. */
export async function openServed(
  flags: SettingsFlags,
  more: Pick<HostOptions, "providers" | "beginsSession"> = {},
): Promise<{ readonly host: Host; readonly settings: Settings }> {
  const settings = await settingsFromFlags(flags);
  for (const warning of settings.loaded.warnings) warn(warning);
  for (const { text } of settings.trust.notices) warn(text);
  if (isYolo(flags)) warnOfYolo();
  const host = await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version,
    isShared: true,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
    ...more,
  });
  return { host, settings };
}

export function warnOfYolo(): void {
  warn("WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.");
}

/** What a program's developer reads beside its own log. */
export function warn(text: string): void {
  process.stderr.write(`capstan: ${inertText(text)}\n`);
}
