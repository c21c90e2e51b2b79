import type { SettingsOptions } from "@capstan/host";

/** On a terminal the user is asked whether they trust the folder; its code loads only there. */
export function askTrustAtTerminal(): SettingsOptions["askTrust"] {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return async (question) => {
    const { askTrust } = await import("../trust-question.ts");
    const terminal = { input: process.stdin, output: process.stderr };
    return await askTrust(question, terminal, () => process.kill(process.pid, "SIGINT"));
  };
}
