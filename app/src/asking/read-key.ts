import { emitKeypressEvents } from "node:readline";
import type { ReadStream } from "node:tty";
import { setTimeout as sleep } from "node:timers/promises";
import { stopProcess } from "./stopped-terminal.ts";

/** Without a key for so long, nobody is typing: what was typed cannot have been an answer to what was not painted yet. */
const quietMs = 80;
/** Somebody who types on while a question waits to be painted. */
const typingMs = 400;
/** A key that is held down, or lies on the keyboard, must not keep the question away. */
const longestMs = 3000;

/** Throws away what is typed before a question, until nobody types. The terminal stays in raw mode, for the answer. */
export async function dropTypedAhead(input: ReadStream): Promise<void> {
  let isTyping = false;
  const drop = (): void => {
    isTyping = true;
  };
  // Without raw mode the system keeps an unfinished line to itself, and adds it to the next.
  input.setRawMode(true);
  input.on("data", drop);
  input.resume();
  await sleep(quietMs);
  for (let waitedMs = quietMs; isTyping && waitedMs < longestMs; waitedMs += typingMs) {
    isTyping = false;
    await sleep(typingMs);
  }
  input.off("data", drop);
  input.pause();
}

interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

/**
 * One key, without Enter: the character it stands for, or its name (`up`, `space`, `return`, …).
 * @param paint  writes the question again, after Ctrl-Z and `fg`
 * @returns `null` for Escape, Ctrl-D, the end of input, or when `signal` aborts
 */
export function readKey(input: ReadStream, signal: AbortSignal, paint: () => void): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (key: string | null): void => {
      signal.removeEventListener("abort", giveUp);
      input.off("keypress", onKey);
      process.off("SIGCONT", onContinued);
      input.off("end", giveUp);
      input.off("close", giveUp);
      input.pause();
      if (!input.destroyed) input.setRawMode(false);
      resolve(key);
    };
    const giveUp = (): void => end(null);
    const onContinued = (): void => {
      input.setRawMode(true);
      paint();
    };
    const stop = (): void => {
      input.setRawMode(false);
      stopProcess();
    };
    const onKey = (text: string | undefined, { name, ctrl }: Key): void => {
      // The terminal is in raw mode and sends no signal of its own.
      if (ctrl === true && name === "c") process.kill(process.pid, "SIGINT");
      else if (ctrl === true && name === "z") stop();
      else if (name === "escape" || (ctrl === true && name === "d")) end(null);
      else if (ctrl !== true) end(name === "space" ? name : (printable(text) ?? name ?? ""));
    };
    signal.addEventListener("abort", giveUp, { once: true });
    process.on("SIGCONT", onContinued);
    input.once("end", giveUp);
    input.once("close", giveUp);
    emitKeypressEvents(input);
    input.setRawMode(true);
    input.on("keypress", onKey);
    input.resume();
  });
}

function printable(text: string | undefined): string | undefined {
  return text !== undefined && /^[^\p{Cc}]$/u.test(text) ? text.toLowerCase() : undefined;
}
