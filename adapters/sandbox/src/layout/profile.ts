import { isWithin } from "@capstan/patterns";
import type { SandboxLimits, SandboxOptions } from "../options.ts";
import type { Layout } from "./check-layout.ts";
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

export interface Profile {
  readonly options: SandboxOptions;
  readonly limits: SandboxLimits;
  readonly layout: Layout;
  readonly workspace: WorkspaceReach;
  /** Paths of the system at which nothing is to be read. */
  readonly secrets: readonly string[];
  /** In and below the workspace, in this order. */
  readonly mounts: readonly Mount[];
  /** Where the first program is put. */
  readonly starterPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Of the descriptors that `bwrap` gets. */
  readonly descriptors: { readonly filter: number; readonly starter: number; readonly status: number };
}

/** The arguments of `bwrap` but for the program: each mount covers what those before it have put there. */
export function profileArguments(profile: Profile): readonly string[] {
  const { options, layout, workspace, mounts, descriptors } = profile;
  const home = homeInside(options);
  const places = hiddenPlaces(options);
  const toolchains = toolchainsOf(options, systemFolders);
  const own = shown(options, [...systemFolders, ...toolchains.map(({ path }) => path)]);
  const temporary = ["--size", String(profile.limits.temporaryBytes), "--perms"];
  const bind = workspace === "write" ? "--bind" : "--ro-bind";
  const groups: readonly (readonly string[])[] = [
    ["--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--new-session"],
    ["--cap-drop", "ALL", "--hostname", "sandbox"],
    systemArguments(),
    ["--dev", "/dev", "--proc", "/proc"],
    [...temporary, "1777", "--tmpfs", "/dev/shm"],
    places.flatMap((path) => ["--tmpfs", path]),
    [...temporary, "1777", "--tmpfs", "/tmp"],
    [...temporary, "0700", "--tmpfs", home],
    toolchains.flatMap(({ source, path }) => ["--ro-bind", source, path]),
    ["--perms", "0555", "--file", String(descriptors.starter), profile.starterPath],
    own.flatMap((path) => ["--tmpfs", path]),
    [...profile.secrets, ...credentialsIn(toolchains, options)].flatMap(coverArguments),
    layout.roots.flatMap((path) => [bind, path, path]),
    (layout.build ?? []).flatMap((path) => ["--bind", path, path]),
    layout.writable.flatMap((path) => ["--bind", path, path]),
    mounts.flatMap(mountArguments),
    [...own, ...places, "/dev", "/"].flatMap((path) => ["--remount-ro", path]),
    ["--chdir", layout.cwd, "--clearenv"],
    Object.entries(profile.environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ["--seccomp", String(descriptors.filter), "--info-fd", String(descriptors.status)],
  ];
  return groups.flat();
}

/** Where the user's files would be. A home that is the root of everything cannot be emptied. */
export function homeInside({ home }: SandboxOptions): string {
  const real = realPathOf(home);
  return real === undefined || real === "/" || isWithin(real, "/tmp") ? "/tmp/home" : real;
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
