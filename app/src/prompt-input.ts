import { isUtf8 } from "node:buffer";
import { fstatSync } from "node:fs";
import { AppError } from "@capstan/protocol";

/** How long a prompt given as argument waits for the first byte of standard input that somebody left open. */
const firstByteWaitMs = 3000;
/** What standard input may bring; more is no prompt. */
const maxInputBytes = 8 * 1024 * 1024;

/**
 * The prompt: the argument, with piped standard input appended; or standard input alone; where it is optional, maybe none.
 * @throws {AppError} `usage.invalid` when there is neither
 */
export async function readPrompt(
  argument: string | undefined,
  warn: (text: string) => void,
  isOptional = false,
): Promise<string> {
  const waitMs = argument === undefined && !isOptional ? undefined : firstByteWaitMs;
  const piped = isPiped() ? await readStandardInput(waitMs, warn) : "";
  const text = [argument ?? "", piped].filter((part) => part.trim() !== "").join("\n\n");
  if (text === "" && !isOptional)
    throw new AppError("usage.invalid", "there is no prompt", { hint: 'Give one: capstan run "…", or pipe it in.' });
  return text;
}

/** A terminal or /dev/null brings nothing; a pipe, socket or file may. */
function isPiped(): boolean {
  if (process.stdin.isTTY) return false;
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}

async function readStandardInput(waitMs: number | undefined, warn: (text: string) => void): Promise<string> {
  const { stdin } = process;
  const timer =
    waitMs === undefined
      ? undefined
      : setTimeout(() => {
          warn(
            `no input arrived on standard input within ${waitMs / 1000} s; continuing without it (redirect it from /dev/null to skip the wait)`,
          );
          stdin.destroy();
        }, waitMs);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of stdin) {
      clearTimeout(timer);
      const buffer: Buffer = Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece));
      bytes += buffer.length;
      if (bytes > maxInputBytes)
        throw new AppError("usage.invalid", `standard input has more than ${maxInputBytes} bytes`, {
          hint: "Put it into a file and name the file.",
        });
      pieces.push(buffer);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Destroyed by the timer: what did not come is not waited for.
  } finally {
    clearTimeout(timer);
  }
  const input = Buffer.concat(pieces);
  if (!isUtf8(input))
    warn(
      "standard input is no UTF-8 text: what cannot be read stands as U+FFFD (`--attach FILE` attaches a file as it is)",
    );
  return input.toString("utf8").toWellFormed();
}
