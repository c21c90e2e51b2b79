import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { maxGitConfigBytes } from "../limits.ts";

/** One setting of a git configuration file: section, subsection and name in one, in small letters but for the subsection. */
export interface GitSetting {
  readonly name: string;
  readonly value: string;
}

/** The settings of a git configuration, as far as its lines are plain; nothing when it cannot be read or is too large. */
export function readGitSettings(path: string): readonly GitSetting[] {
  const text = readSmallFile(path, maxGitConfigBytes) ?? "";
  const settings: GitSetting[] = [];
  let section = "";
  for (const line of text.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    const [, head, subsection, rest = ""] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
    if (head !== undefined)
      section = subsection === undefined ? head.toLowerCase() : `${head.toLowerCase()}.${subsection}`;
    const [, name, value = "true"] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(head === undefined ? line : rest) ?? [];
    if (name !== undefined) settings.push({ name: `${section}.${name.toLowerCase()}`, value: plainValue(value) });
  }
  return settings;
}

/** Whether git, or what it starts, runs the value of such a setting, or reads more settings from it. */
export function runsPrograms({ name, value }: GitSetting): boolean {
  if (name.startsWith("alias.")) return value.startsWith("!");
  if (name === "core.fsmonitor") return !/^(true|false|yes|no|on|off|0|1)?$/i.test(value);
  return executableSettings.test(name);
}

const executableSettings =
  /^(core\.(hookspath|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)|filter\..*\.(clean|smudge|process)|diff\.(external|.*\.(command|textconv))|merge\..*\.driver|(diff|merge)tool\..*|pager\..*|credential\.(.*\.)?helper|gpg\.(.*\.)?program|sequence\.editor|include\.path|includeif\..*\.path|remote\..*\.(uploadpack|receivepack|vcs|proxy)|url\..*\.(pushinsteadof|insteadof)|submodule\..*\.update|trailer\..*\.(command|cmd)|uploadpack\.packobjectshook|interactive\.difffilter|browser\..*|man\..*|web\.browser|sendemail\..*cmd|core\.(gitdir|repositoryformatversion\.x))$/;

/** @returns `undefined` when it is no file, too large, or cannot be read */
export function readSmallFile(path: string, limitBytes: number): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = fstatSync(descriptor);
    if (!fstatSync(descriptor).isFile() || size > limitBytes) return undefined;
    const bytes = Buffer.alloc(size);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, size, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function plainValue(value: string): string {
  return value
    .replace(/\s[#;].*$/, "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replaceAll(/\\(["\\])/g, "$1");
}
