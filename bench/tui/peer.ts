import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TerminalCommand } from "./terminal-process.ts";

/** Another agent at a terminal, that which took the least CPU of those that were tried. */
export const peerName = "Claude Code 2.1.332";

const version = "2.1.332";
const platform = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
const key = "rehearsal-key";

/** Installs it into a folder of its own, which stays for the next run. @returns the program @throws Error with npm's last line */
export function installPeer(): string {
  const folder = join(tmpdir(), `capstan-peer-${version}`);
  const program = join(folder, "node_modules", platform, "claude");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--force"];
  const { status, stderr } = spawnSync("npm", [...flags, `${platform}@${version}`], { cwd: folder, encoding: "utf8" });
  if (status === 0 && existsSync(program)) return program;
  throw new Error(`${peerName} cannot be installed: ${stderr.trim().split("\n").at(-1) ?? "npm failed"}`);
}

/** Its command line in an empty home of its own, where it has nothing left to ask. */
export function peerCommand(
  program: string,
  { url, cwd, home }: Readonly<Record<"url" | "cwd" | "home", string>>,
): TerminalCommand {
  mkdirSync(home, { recursive: true });
  const asked = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: version,
    theme: "dark",
    customApiKeyResponses: { approved: [key], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(asked));
  return {
    program,
    args: [],
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LANG: "C.UTF-8",
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  };
}
