import { existsSync, type Dirent, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { maxSystemFolders } from "../limits.ts";
import { entryAt } from "./real-path.ts";

/** What every program needs of a system, and nobody's own files lie in. */
export const systemFolders: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/nix/store",
];

/** Narrow parts of other folders: lists of packages, fonts and formats that compilers and interpreters read; the machine's shape. */
const narrowParts: readonly string[] = [
  "/var/lib/dpkg",
  "/var/lib/gems",
  "/var/lib/ghc",
  "/var/lib/texmf",
  "/var/cache/fontconfig",
  "/nix/var/nix/profiles",
  "/run/current-system",
  "/sys/devices/system/cpu",
  "/sys/devices/system/node",
  "/sys/fs/cgroup",
  "/sys/kernel/mm/transparent_hugepage",
];

/** The system as a program sees it: read-only, and nothing of the disk around it. */
export function systemArguments(): readonly string[] {
  return [...systemFolders, ...narrowParts].flatMap((path) => {
    const entry = entryAt(path);
    if (entry === undefined) return [];
    return entry.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  });
}

/** Files and folders of the system that hold credentials, wherever they may be read by everybody. */
const credentialPlaces: readonly string[] = [
  "/etc/apt/auth.conf",
  "/etc/apt/auth.conf.d",
  "/etc/boto.cfg",
  "/etc/docker",
  "/etc/environment",
  "/etc/fstab",
  "/etc/gitconfig.d",
  "/etc/gitlab-runner",
  "/etc/krb5.keytab",
  "/etc/kubernetes",
  "/etc/letsencrypt",
  "/etc/netplan",
  "/etc/npmrc",
  "/etc/odbc.ini",
  "/etc/pip.conf",
  "/etc/pki/tls/private",
  "/etc/rancher",
  "/etc/ssh",
  "/etc/ssl/private",
  "/etc/wireguard",
  "/usr/etc/npmrc",
  "/usr/local/etc",
];

/** What of the system no program may read: credentials, and what only root may. Who runs as root still owns root's files. */
export function systemSecrets(): readonly string[] {
  const closed = process.getuid?.() === 0 ? closedBelow("/etc") : [];
  const named = credentialPlaces.filter((path) => existsSync(path) && !isLink(path));
  return [...named, ...closed.filter((path) => !named.includes(path))];
}

/** Files that others may not read and folders that they may not enter; what is in these is not listed. */
function closedBelow(root: string): readonly string[] {
  const closed: string[] = [];
  const waiting = [root];
  for (let looked = 0; waiting.length > 0 && looked < maxSystemFolders; looked += 1) {
    const folder = waiting.pop() ?? "";
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const mode = entry.isFile() || entry.isDirectory() ? entryAt(path)?.mode : undefined;
      if (mode === undefined) continue;
      if ((mode & (entry.isFile() ? 0o004 : 0o001)) === 0) closed.push(path);
      else if (entry.isDirectory()) waiting.push(path);
    }
  }
  return closed;
}

/** None of a folder that has gone since it was listed: a package may be installed or removed at the same time. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (entryAt(folder) === undefined) return [];
    throw error;
  }
}

/** What it leads to is covered where that lies. */
function isLink(path: string): boolean {
  return entryAt(path)?.isSymbolicLink() === true;
}

/** Arguments that put nothing in the place of what is there. */
export function coverArguments(path: string): readonly string[] {
  const entry = entryAt(path);
  if (entry === undefined || entry.isSymbolicLink()) return [];
  return entry.isDirectory() ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}
