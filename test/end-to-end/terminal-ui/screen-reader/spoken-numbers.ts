import type { TerminalRun } from "../../stage/terminal.ts";

/** Writes a number as often as it takes: one that comes at once after a question is asked for again. */
export async function answered(terminal: TerminalRun, number: string, pattern: RegExp): Promise<void> {
  for (let attempt = 0; attempt < 5000; attempt += 1) {
    const from = terminal.text().length;
    terminal.type(`${number}\r`);
    await terminal.shows(new RegExp(`Write the number again|${pattern.source}`));
    if (!terminal.text().slice(from).includes("Write the number again")) return;
  }
}
