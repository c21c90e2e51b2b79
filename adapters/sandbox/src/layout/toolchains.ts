import { dirname, resolve } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { SandboxOptions } from "../options.ts";
import { realPathOf } from "./real-path.ts";

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
  ".local/share/uv",
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
  ".conda",
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
  ".dotnet",
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

/** A place that is to be readable, under the name programs know it by. */
export interface Toolchain {
  readonly source: string;
  readonly path: string;
}

/** What there is of the toolchains, and the Node.js that runs us where it would be hidden. */
export function toolchainsOf(options: SandboxOptions, hidden: readonly string[]): readonly Toolchain[] {
  const home = realPathOf(options.home) ?? options.home;
  const listed = [...(options.toolchains ?? usualToolchains), ...(options.readable ?? [])].map((path) =>
    resolve(home, path),
  );
  const found = [...listed, ...nodeIn(options.node, home)].flatMap((path) => {
    const source = realPathOf(path);
    return source === undefined || isWithin(source, home) ? [] : [{ source, path }];
  });
  return found.filter(({ path }) => hidden.some((place) => isWithin(place, path)));
}

/** A Node.js in its own folder brings its modules along; one that lies elsewhere comes alone. */
function nodeIn(node: string, home: string): readonly string[] {
  const real = realPathOf(node);
  if (real === undefined) return [node];
  const prefix = dirname(dirname(real));
  const isOwn = prefix !== "/" && dirname(real).endsWith("/bin") && !isWithin(prefix, home);
  return [isOwn && prefix.split("/").length > 3 ? prefix : real, node];
}
