import { accessSync, constants } from "node:fs";

/**
 * The shell that runs scripts: the configured one, else bash, else sh. The search path is not asked: what a workspace puts
 * first on it must not become the shell.
 */
export function findShell(configured: string | undefined): string {
  if (configured !== undefined) return configured;
  return knownShells.find(isExecutable) ?? "/bin/sh";
}

const knownShells: readonly string[] = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
  "/run/current-system/sw/bin/bash",
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
