import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../stage/place.ts";

const modules = join(import.meta.dirname, "../../../node_modules");

/** Real servers, by the names that the tests give them. */
const servers = {
  typescript: { command: join(modules, ".bin/tsc"), args: ["--lsp", "--stdio"], extensions: [".ts"] },
  python: { command: join(modules, ".bin/pyright-langserver"), args: ["--stdio"], extensions: [".py"] },
} as const;

export const editing: readonly string[] = ["--permission-mode", "accept-edits"];

/** The user's configuration names these servers, and lets the sandbox read where they are. */
export function nameServers(place: Place, ...names: readonly (keyof typeof servers)[]): void {
  const tables = names.map((name) => {
    const keys = Object.entries(servers[name]).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    return [`[language_servers.${name}]`, ...keys].join("\n");
  });
  const file = join(place.data, "config.toml");
  mkdirSync(dirname(file), { mode: 0o700, recursive: true });
  writeFileSync(file, [`[sandbox]\nreadable = [${JSON.stringify(modules)}]`, ...tables, ""].join("\n"), {
    mode: 0o600,
  });
}

/** A call that edits a file. */
export function edit(path: string, from: string, to: string): object {
  return { name: "edit_file", arguments: { path, old_string: from, new_string: to } };
}

export function read(path: string): object {
  return { name: "read_file", arguments: { path } };
}
