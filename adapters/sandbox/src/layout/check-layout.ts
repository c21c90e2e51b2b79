import { isWithin } from "@capstan/patterns";
import type { SandboxRequest } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import type { SandboxOptions } from "../options.ts";
import { realPathOf } from "./real-path.ts";

/** Where a program works and what else it may change: real paths, none within another of the same list. */
export interface Layout {
  readonly roots: readonly string[];
  readonly writable: readonly string[];
  /** Repositories that roots are parts of: what else is in them may be read. */
  readonly around?: readonly string[];
  /** Build folders and cache files in the roots that it may change although the rest of the workspace is read-only. */
  readonly build?: readonly string[];
  readonly cwd: string;
  /** Roots that are private copies, and where each is seen, too. */
  readonly copied?: readonly { readonly path: string; readonly copy: string }[];
}

/** @throws AppError `sandbox.layout` where opening the workspace would open what the sandbox is to keep closed */
export function checkLayout(request: SandboxRequest, options: SandboxOptions): Layout {
  const { workspace, confinement } = request;
  const roots = outermost([workspace.cwd, ...workspace.roots].map((path) => realFolder(path, "The workspace")));
  const writable = outermost(confinement.writable.map((path) => realFolder(path, "What may be changed")));
  for (const path of [...roots, ...writable]) {
    const problem = problemOfOpening(path, options);
    if (problem !== undefined) throw problem;
  }
  const { copied } = request;
  const open = copied === undefined ? roots : copied.map(({ path }) => path);
  const cwd = realFolder(request.cwd, "The working directory");
  if (!open.some((root) => isWithin(root, cwd))) {
    throw new AppError("sandbox.layout", `The working directory ${quoted(cwd)} is not inside the workspace.`);
  }
  return { roots, writable, cwd, ...(copied === undefined ? {} : { copied }) };
}

/** Opening one of these opens the system, everyone's home or everyone's temporary files. */
const systemFolders: ReadonlySet<string> = new Set(
  "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /nix /opt /proc /root /run /sbin /snap /srv /sys /tmp /usr /var"
    .split(" ")
    .concat(
      "/usr/bin /usr/include /usr/lib /usr/lib64 /usr/libexec /usr/local /usr/local/bin /usr/sbin /usr/share".split(
        " ",
      ),
    )
    .concat("/var/cache /var/lib /var/log /var/mail /var/opt /var/run /var/spool /var/tmp".split(" ")),
);
/** Nothing in these is a workspace. */
const closedFolders: readonly string[] = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys"];

/** Why a folder must not be opened to commands. */
export function problemOfOpening(path: string, options: SandboxOptions): AppError | undefined {
  const hint = "Work in a folder of its own, below the home directory.";
  const home = realPathOf(options.home) ?? options.home;
  if (isWithin(path, home)) {
    const what = home === path ? "is the home directory" : "contains the home directory";
    return new AppError("sandbox.layout", `${quoted(path)} ${what}, which commands must not see.`, { hint });
  }
  if (systemFolders.has(path) || closedFolders.some((folder) => isWithin(folder, path))) {
    return new AppError("sandbox.layout", `${quoted(path)} belongs to the system.`, { hint });
  }
  for (const hidden of [...options.hidden, options.stateDirectory]) {
    const real = realPathOf(hidden) ?? hidden;
    if (isWithin(path, real) || isWithin(real, path)) {
      const text = `${quoted(path)} and Capstan's own folder ${quoted(real)} lie in one another.`;
      return new AppError("sandbox.layout", text, { hint: "Use another workspace, or another CAPSTAN_HOME." });
    }
  }
  return undefined;
}

function realFolder(path: string, what: string): string {
  const real = path.startsWith("/") ? realPathOf(path) : undefined;
  if (real === undefined) throw new AppError("sandbox.layout", `${what} ${quoted(path)} is not there.`);
  return real;
}

function outermost(paths: readonly string[]): readonly string[] {
  const unique = [...new Set(paths)].toSorted((a, b) => a.length - b.length);
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(other, path)));
}

function quoted(path: string): string {
  return JSON.stringify(path);
}
