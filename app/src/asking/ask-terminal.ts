import { createInterface } from "node:readline";
import type { ReadStream } from "node:tty";
import { setTimeout as sleep } from "node:timers/promises";
import type { AskTerminal } from "@capstan/cli";
import { paintLine } from "@capstan/cli";

/** How long what was typed before a question is thrown away: it cannot have been an answer to it. */
const typedAheadMs = 80;

/** Asks at a terminal, on stderr, so that the answer on stdout stays clean. */
export function terminalAsker(input: ReadStream, output: NodeJS.WriteStream, colors: boolean): AskTerminal {
  return {
    show(lines) {
      for (const line of lines) output.write(`${paintLine(line, colors)}\n`);
    },
    async ask(prompt, signal) {
      await dropTypedAhead(input);
      return signal.aborted ? null : await readLine(input, output, prompt, signal);
    },
  };
}

async function dropTypedAhead(input: ReadStream): Promise<void> {
  const wasRaw = input.isRaw;
  // Without raw mode the system keeps an unfinished line to itself, and adds it to the next.
  input.setRawMode(true);
  input.on("data", drop);
  input.resume();
  await sleep(typedAheadMs);
  input.off("data", drop);
  input.pause();
  input.setRawMode(wasRaw);
}

function drop(): void {
  // It answers nothing.
}

/** `null` for Escape, the end of input, or when `signal` aborts. */
function readLine(
  input: ReadStream,
  output: NodeJS.WriteStream,
  prompt: string,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const lines = createInterface({ input, output, terminal: true, historySize: 0 });
    const end = (answer: string | null): void => {
      signal.removeEventListener("abort", giveUp);
      input.off("keypress", onKey);
      // Only ours: readline takes its own listeners off the terminal when it closes.
      lines.off("close", giveUp);
      lines.close();
      input.pause();
      if (answer === null) output.write("\n");
      resolve(answer);
    };
    const giveUp = (): void => end(null);
    const onKey = (_text: string | undefined, key: { readonly name?: string } | undefined): void => {
      if (key?.name === "escape") end(null);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    input.on("keypress", onKey);
    lines.once("close", giveUp);
    // The terminal is in raw mode and sends no signal of its own.
    lines.on("SIGINT", () => {
      process.kill(process.pid, "SIGINT");
    });
    lines.question(prompt, end);
  });
}
