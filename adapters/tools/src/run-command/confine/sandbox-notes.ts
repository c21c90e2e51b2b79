import { constants } from "node:os";
import { isWithin } from "@capstan/patterns";
import type { SandboxReport } from "@capstan/ports";
import type { Confinement } from "@capstan/protocol";
import { inertText } from "../../paths/inert-text.ts";
import { refusalOf } from "./refused-hosts.ts";
import { maxNamed, tracedOutputLength } from "./limits.ts";

type Sandboxed = Extract<Confinement, { readonly type: "sandbox" }>;

/** How a confined command ended, as far as the sandbox's part in it can be determined. */
export interface ConfinedEnd {
  readonly exitCode: number | null;
  /** What it wrote, as the model gets it. */
  readonly output: string;
  /** The user's home, and what of it is open. */
  readonly home: string;
  readonly opened: readonly string[];
  readonly report: SandboxReport;
}

/** Lines for the end of a result: what the sandbox seems to have stopped and how to ask for it, and what runs later. */
export function sandboxNotes(end: ConfinedEnd, confinement: Sandboxed): readonly string[] {
  const stopped = stoppedBy(end, confinement);
  const later = runsLaterLine(end.report);
  const moved = quarantineLine(end.report);
  return [
    ...(stopped === undefined ? [] : [`[Sandbox: ${stopped}]`]),
    ...(moved === undefined ? [] : [`[${moved}]`]),
    ...(later === undefined ? [] : [`[${later}]`]),
  ];
}

/** What a command left that something else will run or obey, as one line; `undefined`: nothing. */
export function runsLaterLine({ runsLater }: SandboxReport): string | undefined {
  return runsLater.length === 0 ? undefined : `Will run or be obeyed later: ${named(runsLater)}`;
}

/** What new names were taken out of the workspace, each with the way back. */
export function quarantineTexts({ quarantined }: SandboxReport): readonly string[] {
  return quarantined.map(({ path, id }) => `${path} (to get it back: capstan quarantine restore ${id})`);
}

/** The same as one line that says why; `undefined`: nothing. */
function quarantineLine(report: SandboxReport): string | undefined {
  const texts = quarantineTexts(report);
  const why =
    "new while the command ran, and agents, editors or git would obey it, or no command could start beside it; kept whole, whoever made it";
  return texts.length === 0 ? undefined : `Moved to quarantine, since it is ${why}: ${named(texts)}`;
}

/** The signal by which the program in a sandbox seems to have ended: the sandbox answers as shells do, 128 and its number. */
export function signalOfCode(exitCode: number | null): string | undefined {
  if (exitCode === null || exitCode <= shellSignalBase) return undefined;
  const entry = Object.entries(constants.signals).find(([, number]) => number === exitCode - shellSignalBase);
  return entry?.[0];
}

const shellSignalBase = 128;

interface Trace {
  /** In the output of a command that failed. */
  readonly output: RegExp;
  readonly says: (confinement: Sandboxed) => string;
}

const traces: readonly Trace[] = [
  {
    output:
      /could not resolve|couldn't resolve|getaddrinfo|EAI_AGAIN|ENOTFOUND|ENETUNREACH|network is unreachable|temporary failure (?:in name resolution|resolving)|name or service not known|no such host|dns error/i,
    says: ({ hosts, workspace }) =>
      `${hosts.length === 0 ? "it had no network" : `of the network it could reach only ${named(hosts)}, through the proxy of its environment`}.${forMore(workspace, "ask with network: [host]")}`,
  },
  {
    output:
      /(?:127\.0\.0\.1|localhost|\[?::1)[^\n]*refused|ECONNREFUSED[^\n]*(?:127\.0\.0\.1|localhost|::1)|failed to connect to (?:127\.0\.0\.1|localhost)/i,
    says: ({ workspace }) =>
      `the loopback is the session's own: what listens on the machine is not on it.${forMore(workspace, 'ask with network: ["localhost:PORT"]')}`,
  },
  {
    output: /read-only file system|EROFS/i,
    says: ({ workspace }) =>
      workspace === "read"
        ? "plan mode only reads; nothing can be changed but /tmp."
        : workspace === "build"
          ? "The workspace is read-only in mode default. Call again with writes: true."
          : "it could change only the workspace (not its git hooks and configuration) and /tmp. If another directory must change, ask with writable: [directory].",
  },
  {
    output: /permission denied|EACCES|operation not permitted|EPERM/i,
    says: ({ workspace }) =>
      `what it was denied may be a protected file, or a system call no build needs (no Unix sockets, no tracing, no mounts).${forMore(workspace, outside)}`,
  },
  {
    output: /Sanitizer failed to allocate|ReserveShadowMemoryRange failed/,
    says: () =>
      "the limit on memory counts what a sanitizer reserves: the user sets `sandbox.max_memory_mb = 16777216` in their own configuration.",
  },
  {
    output: /resource temporarily unavailable|cannot fork|EAGAIN|cannot allocate memory|out of memory|ENOMEM/i,
    says: ({ workspace }) => `it may have met the limit on processes or memory.${forMore(workspace, outside)}`,
  },
  {
    output: /no space left on device|ENOSPC|file too large|EFBIG/i,
    says: ({ workspace }) => `it may have met the limit on file sizes or on /tmp.${forMore(workspace, outside)}`,
  },
];

const settingsTrace =
  /^(?:error|fatal): could not (?:write|lock) config file \S*config: (?:Device or resource busy|Read-only file system)$/m;
const settings =
  "git could not change the repository's settings (.git/config), which no command may: the user does that outside";

const outside = "if it cannot do without, ask with outside_sandbox: true and a justification";

const signals: Readonly<Record<string, string>> = {
  SIGSYS: "it used a system call that the sandbox forbids",
  SIGXFSZ: "it wrote a file beyond the limit on file sizes",
  SIGKILL: "it was killed, perhaps for its use of memory",
};

function stoppedBy({ exitCode, output, report, ...places }: ConfinedEnd, confinement: Sandboxed): string | undefined {
  const { refusedHosts, endedBecause } = report;
  if (endedBecause !== undefined) return `the command was ended: ${inertText(endedBecause, 400)}.`;
  if (refusedHosts.length > 0) {
    const { why, ask } = refusalOf(refusedHosts[0] ?? "", confinement.hosts);
    return `the network let it reach ${confinement.hosts.length === 0 ? "nothing" : named(confinement.hosts)}, and refused ${named(refusedHosts)}${why}.${forMore(confinement.workspace, inertText(ask, 300))}`;
  }
  // Git then claims success of what it has done besides.
  if (settingsTrace.test(output)) return `${settings}.${forMore(confinement.workspace, outside)}`;
  if (exitCode === 0) return undefined;
  const signal = signals[signalOfCode(exitCode) ?? ""];
  if (signal !== undefined) return `${signal}.${forMore(confinement.workspace, outside)}`;
  const end = output.slice(-tracedOutputLength);
  if (missesHome(end, places)) return `${unseen}.${forMore(confinement.workspace, outside)}`;
  return traces.find((trace) => trace.output.test(end))?.says(confinement);
}

const unseen =
  "the user's home is not seen inside: the user lists what is needed of it in `sandbox.readable`, or copies it into the workspace";

/** A file was missed that may well be there, outside. */
function missesHome(output: string, { home, opened }: Pick<ConfinedEnd, "home" | "opened">): boolean {
  const missed = output.matchAll(/(\/[^\s:'"]+)['"]?: No such file or directory|ENOENT[^\n]*'(\/[^'\n]+)'/g);
  return Array.from(missed, ([, plain, quoted]) => plain ?? quoted ?? "").some(
    (path) => isWithin(home, path) && !opened.some((folder) => isWithin(folder, path)),
  );
}

function forMore(workspace: Sandboxed["workspace"], how: string): string {
  return workspace === "read" ? "" : ` ${how.charAt(0).toUpperCase()}${how.slice(1)}.`;
}

function named(items: readonly string[]): string {
  const shown = items.slice(0, maxNamed).map((item) => inertText(item, 200));
  const more = items.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
