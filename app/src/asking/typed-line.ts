import { createInterface } from "node:readline";
import { continuesAfterStop } from "./stopped-terminal.ts";

/** Asks for one line at the terminal. `null`: the input ended. */
export function typedLine(prompt: string): Promise<string | null> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
    let answer: string | null = null;
    lines.once("close", () => {
      process.stdin.pause();
      resolve(answer);
    });
    // The terminal is in raw mode and sends no signal of its own.
    lines.on("SIGINT", () => {
      lines.close();
      process.kill(process.pid, "SIGINT");
    });
    continuesAfterStop(lines);
    lines.question(prompt, (typed) => {
      answer = typed;
      lines.close();
    });
  });
}
