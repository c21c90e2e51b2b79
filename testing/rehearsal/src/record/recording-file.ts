import { lstat, open, unlink } from "node:fs/promises";
import { AppError, messageOf } from "@capstan/protocol";
import type { RecordedExchange } from "../scenario/recorded-exchange.ts";

/** A recording that is being written: valid at every moment, and on disk up to the last exchange that was appended. */
export interface RecordingFile {
  /**
   * Resolves when the exchange is on disk; appends wait for each other.
   * @throws {AppError} `storage.failed`; then what was appended before is still there, and nothing more can be
   */
  append(exchange: RecordedExchange): Promise<void>;
  close(): Promise<void>;
  /** Closes and removes it: nothing was recorded. */
  discard(): Promise<void>;
}

export interface NewRecording {
  readonly path: string;
  /** Of the scenario that the file is. */
  readonly name: string;
  /** Take the place of a file that is there. */
  readonly replace: boolean;
}

/**
 * Begins a recording, readable by its owner only.
 * @throws {AppError} `usage.invalid` when there is a file already, or none can be made
 */
export async function createRecording({ path, name, replace }: NewRecording): Promise<RecordingFile> {
  if (replace) await removeFile(path);
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    throw cannotBegin(path, error);
  });
  let size = 0;
  const write = async (value: object): Promise<void> => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    await file.appendFile(line);
    await file.datasync();
    size += line.length;
  };
  let last: Promise<void> = write({ name, turns: [], exchanges: [] });
  await last;
  return {
    append(exchange) {
      const appended = last.then(() => write(exchange));
      last = appended.catch(async (error: unknown) => {
        // Half a line must not stand in the way of reading the others.
        await file.truncate(size).catch(() => undefined);
        throw new AppError("storage.failed", `${path}: the recording cannot continue: ${messageOf(error)}`, {
          cause: error,
        });
      });
      return last;
    },
    async close() {
      await last.catch(() => undefined);
      await file.close();
    },
    async discard() {
      await file.close();
      await unlink(path).catch(() => undefined);
    },
  };
}

/** Nothing but a file is ever removed. */
async function removeFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isFile()) throw new AppError("usage.invalid", `${path} is no file, and is left alone`);
  await unlink(path);
}

function cannotBegin(path: string, error: unknown): AppError {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (code === "EEXIST") {
    return new AppError("usage.invalid", `${path} exists already, and is left alone`, {
      cause: error,
      hint: "Name another file, or replace this one with `--force`.",
    });
  }
  return new AppError("usage.invalid", `${path} cannot be written: ${messageOf(error)}`, { cause: error });
}
