import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildBundle } from "../bundle/build-bundle.ts";

/**
 * The help of every command, as the binary prints it.
 * @param root  the repository; the binary is built into a folder inside it, so that it finds its packages, and removed again
 */
export async function commandsPage(root: string): Promise<string> {
  const folder = mkdtempSync(join(root, "node_modules", ".capstan-reference-"));
  try {
    const { entry } = await buildBundle(root, folder);
    const sections = helpSections([], (path) => readHelp(entry, path));
    return `# Commands\n\n\`capstan -p PROMPT\` is \`capstan run PROMPT\`. Every command takes \`--help\`.\n\n${sections.join("\n\n")}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function helpSections(path: readonly string[], read: (path: readonly string[]) => string): readonly string[] {
  const help = read(path);
  const below = subcommands(help).map((name) => [...path, name]);
  return [
    `## \`${["capstan", ...path].join(" ")}\`\n\n\`\`\`text\n${help}\n\`\`\``,
    ...below.flatMap((command) => helpSections(command, read)),
  ];
}

/** Names in the list of commands: two spaces, the name, its arguments, its description or the end of the line. */
export function subcommands(help: string): readonly string[] {
  const list = /^Commands:\n((?: {2}.*\n?)+)/m.exec(help)?.[1] ?? "";
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
}

function readHelp(entry: string, path: readonly string[]): string {
  // A pipe is no terminal, so the width is the same everywhere.
  return execFileSync(process.execPath, [entry, ...path, "--help"], { encoding: "utf8" }).trim();
}
