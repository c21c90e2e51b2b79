import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { KeptCache } from "../caches/kept-cache.ts";
import type { SandboxLimits, SandboxOptions } from "../options.ts";
import type { Layout } from "./check-layout.ts";
import { homeInside } from "./home-inside.ts";
import { realPathOf } from "./real-path.ts";
import type { WorkspaceReach } from "@capstan/protocol";
import { coverArguments, systemArguments, systemFolders } from "./system-folders.ts";
import { credentialsIn, toolchainsOf } from "./toolchains.ts";

/** One change to what a program sees, on top of those before it. */
export type Mount =
  /** Can be changed, but neither moved nor removed. */
  | { readonly type: "pinned"; readonly path: string }
  | { readonly type: "read-only"; readonly path: string }
  /** There, and cannot be opened. */
  | { readonly type: "closed"; readonly path: string; readonly source: string };

/** What the commands of a session share. */
export interface HolderProfile {
  readonly options: SandboxOptions;
  readonly limits: SandboxLimits;
  readonly layout: Layout;
  /** Paths of the system at which nothing is to be read. */
  readonly secrets: readonly string[];
  /** In and below the workspace, in this order. */
  readonly mounts: readonly Mount[];
  /** Small programs of our own: the descriptor that each is read from, and where it lies inside. */
  readonly programs: readonly { readonly descriptor: number; readonly path: string }[];
  /** In the home: the descriptor that each is read from, and its path from there. */
  readonly homeFiles: readonly { readonly descriptor: number; readonly path: string }[];
  /** What package managers fill. */
  readonly caches: readonly KeptCache[];
  /** What is seen inside under another name. */
  readonly shown: readonly { readonly source: string; readonly path: string }[];
  /** Where `bwrap` writes what it has started. */
  readonly status: number;
}

/** The arguments of `bwrap` for a holder, but for its program: each mount covers what those before it have put there. */
export function holderArguments(profile: HolderProfile): readonly string[] {
  const { options, layout, limits, mounts } = profile;
  const home = homeInside(options);
  const places = hiddenPlaces(options);
  const toolchains = toolchainsOf(options, systemFolders);
  const own = shown(options, [...systemFolders, ...toolchains.map(({ path }) => path)]);
  const temporary = ["--size", String(limits.temporaryBytes), "--perms"];
  const groups: readonly (readonly string[])[] = [
    // Who enters is nobody else than in the holder: so it is root there, whoever it is outside.
    ["--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "ALL", "--unshare-net", "--die-with-parent"],
    systemArguments(),
    // Each command puts its own over these; what is laid over parts of a fresh /proc would keep it from that.
    ["--dev", "/dev", "--bind", "/proc", "/proc"],
    places.flatMap((path) => ["--tmpfs", path]),
    [...temporary, "1777", "--tmpfs", "/tmp"],
    [...temporary, "0700", "--tmpfs", home],
    profile.homeFiles.flatMap(({ descriptor, path }) => ["--file", String(descriptor), join(home, path)]),
    toolchains.flatMap(({ source, path }) => ["--ro-bind", source, path]),
    profile.caches.flatMap(({ source, path }) => ["--bind", source, path]),
    profile.programs.flatMap(({ descriptor, path }) => ["--perms", "0555", "--file", String(descriptor), path]),
    profile.shown.flatMap(({ source, path }) => ["--ro-bind", source, path]),
    own.flatMap((path) => ["--tmpfs", path]),
    [...profile.secrets, ...credentialsIn(toolchains, options)].flatMap(coverArguments),
    (layout.around ?? []).flatMap((path) => ["--ro-bind", path, path]),
    layout.roots.flatMap((path) => ["--bind", path, path]),
    layout.writable.flatMap((path) => ["--bind", path, path]),
    mounts.flatMap(mountArguments),
    (layout.copied ?? []).flatMap(({ path }) => ["--dir", path]),
    [...own, ...places, "/"].flatMap((path) => ["--remount-ro", path]),
    ["--chdir", "/", "--clearenv", "--info-fd", String(profile.status)],
  ];
  return groups.flat();
}

/** What one command has of its own. */
export interface CommandProfile {
  readonly limits: SandboxLimits;
  readonly layout: Layout;
  readonly workspace: WorkspaceReach;
  /** Mounts of the holder that lie outside the open folders. */
  readonly outside: readonly Mount[];
  /** Paths of what package managers fill, as far as the holder has them. */
  readonly caches: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Of the descriptors that `bwrap` gets. */
  readonly descriptors: { readonly filter: number; readonly status: number };
}

/** The arguments of `bwrap` for a command in a holder, but for the program. */
export function commandArguments(profile: CommandProfile): readonly string[] {
  const { layout, workspace, descriptors } = profile;
  const { uid, gid } = ownNumbers();
  const closed =
    workspace === "write" || workspace === "copy" ? [] : [...layout.roots, ...profile.outside.map(({ path }) => path)];
  const groups: readonly (readonly string[])[] = [
    ["--unshare-user", "--uid", String(uid), "--gid", String(gid), "--disable-userns"],
    ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"],
    ["--dev-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ["--size", String(profile.limits.temporaryBytes), "--perms", "1777", "--tmpfs", "/dev/shm"],
    closed.flatMap((path) => ["--ro-bind", path, path]),
    // Who changes nothing leaves nothing for those that come later.
    workspace === "read" ? profile.caches.flatMap((path) => ["--ro-bind-try", path, path]) : [],
    (workspace === "build" ? (layout.build ?? []) : []).flatMap((path) => ["--bind", path, path]),
    closed.length === 0 ? [] : layout.writable.flatMap((path) => ["--bind", path, path]),
    // With all that covers it where it lies.
    (layout.copied ?? []).flatMap(({ path, copy }) => ["--bind", copy, path]),
    ["--remount-ro", "/dev", "--chdir", layout.cwd, "--clearenv"],
    Object.entries(profile.environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ["--seccomp", String(descriptors.filter), "--info-fd", String(descriptors.status)],
  ];
  return groups.flat();
}

function ownNumbers(): { readonly uid: number; readonly gid: number } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** Folders in which people, other programs and other systems keep theirs: empty inside, and nothing can be put there. */
function hiddenPlaces(options: SandboxOptions): readonly string[] {
  const home = homeInside(options);
  return ["/home", "/root", "/run", "/var/tmp", "/mnt", "/media"].filter(
    (path) => path !== home && realPathOf(path) === path,
  );
}

/** Capstan's own folders, where they would be seen. */
function shown(options: SandboxOptions, visible: readonly string[]): readonly string[] {
  return [...options.hidden, options.stateDirectory].flatMap((path) => {
    const real = realPathOf(path);
    return real === undefined || !visible.some((place) => isWithin(place, real)) ? [] : [real];
  });
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.type) {
    case "pinned":
      return ["--bind", mount.path, mount.path];
    case "read-only":
      return ["--ro-bind", mount.path, mount.path];
    case "closed":
      return ["--ro-bind", mount.source, mount.path];
  }
}
