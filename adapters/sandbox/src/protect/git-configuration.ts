import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { onDisk } from "@capstan/byte-paths";
import { maxGitConfigBytes } from "../limits.ts";
import { type GitSetting, parseGitSettings } from "./git-settings-text.ts";

/** The settings of a git configuration; nothing when it is not there, cannot be read or is too large. */
export function readGitSettings(path: string): readonly GitSetting[] {
  return parseGitSettings(readSmallFile(path, maxGitConfigBytes) ?? "");
}

/** Whether git, or what it starts, runs the value of such a setting, or reads more settings from it. */
export function runsPrograms({ name, value }: GitSetting): boolean {
  // An alias may begin with options of git's own, such as `-c`.
  if (name.startsWith("alias.")) return /^\s*[!-]/.test(value);
  if (name === "core.fsmonitor") return !/^(true|false|yes|no|on|off|0|1)?$/i.test(value);
  return executableSettings.test(name);
}

const executableSettings = new RegExp(
  `^(?:${[
    "core\\.(?:hookspath|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)",
    "filter\\..*\\.(?:clean|smudge|process)",
    "diff\\.(?:external|.*\\.(?:command|textconv))",
    "merge\\..*\\.driver",
    "(?:diff|merge|gui)tool\\..*",
    "(?:pager|browser|man|web|instaweb|hook|tar|guitool)\\..*",
    "credential\\.(?:.*\\.)?helper",
    "gpg\\.(?:.*\\.)?(?:program|defaultkeycommand)",
    "sequence\\.editor",
    "interactive\\.difffilter",
    "include\\.path|includeif\\..*\\.path",
    "remote\\..*\\.(?:uploadpack|receivepack|vcs|proxy)",
    "url\\..*\\.(?:pushinsteadof|insteadof)",
    "protocol\\.(?:.*\\.)?allow",
    "submodule\\..*\\.update",
    "trailer\\..*\\.(?:command|cmd)",
    "uploadpack\\.packobjectshook",
    "lfs\\.(?:customtransfer|extension)\\..*|lfs\\.standalonetransferagent",
    "init\\.templatedir",
    "imap\\.tunnel",
    "sendemail\\.(?:.*\\.)?(?:.*cmd|smtpserver)",
  ].join("|")})$`,
  "is",
);

/** @returns `undefined` when it is no file, too large, or cannot be read */
export function readSmallFile(path: string, limitBytes: number): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(onDisk(path), constants.O_RDONLY | constants.O_NONBLOCK);
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
