import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { SandboxOptions } from "../options.ts";
import { entryAt, realPathOf } from "./real-path.ts";

/**
 * What usual toolchains keep in the home, relative to it: programs, libraries, what was downloaded. Folders in which they also keep
 * credentials are named by their harmless parts.
 */
const usualToolchains: readonly string[] = [
  ".local/bin",
  ".local/lib",
  ".local/pipx",
  ".local/share/fnm",
  ".local/share/mise",
  ".local/share/pipx",
  ".local/share/pnpm",
  ".local/share/rtx",
  ".local/share/uv/python",
  ".local/share/uv/tools",
  ".cargo/bin",
  ".cargo/env",
  ".cargo/git",
  ".cargo/registry",
  ".rustup",
  ".nvm",
  ".fnm",
  ".volta",
  ".asdf",
  ".npm/_cacache",
  ".npm-global",
  ".bun/bin",
  ".bun/install",
  ".deno/bin",
  ".pyenv",
  ".conda/envs",
  ".conda/pkgs",
  "miniconda3",
  "anaconda3",
  ".rbenv",
  ".rvm",
  ".gem/ruby",
  ".goenv",
  "go/bin",
  "go/pkg",
  ".sdkman/candidates",
  ".jenv",
  ".m2/repository",
  ".m2/wrapper",
  ".gradle/wrapper",
  ".gradle/caches",
  ".dotnet/dotnet",
  ".dotnet/host",
  ".dotnet/metadata",
  ".dotnet/packs",
  ".dotnet/sdk",
  ".dotnet/sdk-manifests",
  ".dotnet/shared",
  ".dotnet/templates",
  ".dotnet/tools",
  ".nuget/packages",
  ".ghcup",
  ".opam",
  ".nix-profile",
  ".cache/pip",
  ".cache/uv",
  ".cache/yarn",
  ".cache/go-build",
  ".cache/pypoetry/virtualenvs",
];

/** Parts of these in which package managers keep credentials all the same. `*`: every name. */
const credentialParts: readonly string[] = [
  ".asdf/installs/nodejs/*/etc",
  ".fnm/node-versions/*/installation/etc",
  ".local/share/fnm/node-versions/*/installation/etc",
  ".local/share/mise/installs/node/*/etc",
  ".npm-global/etc",
  ".nvm/versions/node/*/etc",
  ".volta/tools/image/node/*/etc",
  "anaconda3/.condarc",
  "anaconda3/etc",
  "miniconda3/.condarc",
  "miniconda3/etc",
];

/** A place that is to be readable, under the name programs know it by. */
export interface Toolchain {
  readonly source: string;
  readonly path: string;
}

/**
 * What there is of the toolchains, of programs on the search path, and of the Node.js that runs us, where it would not be seen.
 * @param visible  folders that are seen anyway
 */
export function toolchainsOf(options: SandboxOptions, visible: readonly string[]): readonly Toolchain[] {
  const home = realPathOf(options.home) ?? options.home;
  const listed = [...(options.toolchains ?? usualToolchains), ...(options.readable ?? [])].map((path) =>
    resolve(home, path),
  );
  const found = [...listed, ...programFolders(options.searchPath, home), ...nodeIn(options.node, home)].flatMap(
    (path) => {
      const source = realPathOf(path);
      return source === undefined || isWithin(source, home) ? [] : [{ source, path }];
    },
  );
  return found.filter(({ path }) => !visible.some((place) => isWithin(place, path)));
}

/** Credentials within what is readable, as paths that programs know them by. */
export function credentialsIn(toolchains: readonly Toolchain[], options: SandboxOptions): readonly string[] {
  const home = realPathOf(options.home) ?? options.home;
  const found = credentialParts.flatMap((path) => expand(home, path.split("/")));
  const ofNode = nodeIn(options.node, home).map((path) => join(path, "etc"));
  const explicit = (options.readable ?? []).map((path) => resolve(home, path));
  return [...found, ...ofNode].filter(
    (path) =>
      toolchains.some((toolchain) => isWithin(toolchain.path, path)) &&
      // What the user named by itself is shown.
      !explicit.some((place) => isWithin(path, place)),
  );
}

function expand(folder: string, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return entryAt(folder) === undefined ? [] : [folder];
  const names = name === "*" ? namesIn(folder) : [name];
  return names.flatMap((each) => expand(join(folder, each), rest));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Of programs outside the system and the home: their folder; of a package in `/opt` all of it. */
function programFolders(searchPath: string, home: string): readonly string[] {
  return searchPath
    .split(":")
    .filter((path) => path.startsWith("/") && !isWithin(home, path) && path.split("/").length > 2)
    .map((path) => (/^\/opt\/.+\/s?bin$/.test(path) ? dirname(path) : path))
    .filter((path) => !closedPlaces.some((place) => isWithin(place, path)));
}

/** Whatever is on a search path, nothing is shown of these. */
const closedPlaces: readonly string[] = [
  "/home",
  "/root",
  "/tmp",
  "/var/tmp",
  "/run",
  "/proc",
  "/dev",
  "/sys",
  "/mnt",
  "/media",
];

/** A Node.js in its own folder brings its modules along; one that lies elsewhere comes alone. */
function nodeIn(node: string, home: string): readonly string[] {
  const real = realPathOf(node);
  if (real === undefined) return [node];
  const prefix = dirname(dirname(real));
  const isOwn = prefix !== "/" && dirname(real).endsWith("/bin") && !isWithin(prefix, home);
  return [isOwn && prefix.split("/").length > 3 ? prefix : real, node];
}
