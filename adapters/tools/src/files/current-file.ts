import type { ToolContext } from "@capstan/ports";
import { ToolRefusal } from "@capstan/protocol";
import { quotedPath } from "../paths/path-syntax.ts";
import { readPinned } from "../paths/pinned-file.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { sha256 } from "./sha256.ts";
import { decodeText, guessBinaryKind, type TextContent } from "./text-content.ts";

/** A file as it is on disk now. */
export interface CurrentFile {
  readonly content: Buffer;
  /** SHA-256, hex. */
  readonly hash: string;
}

/**
 * Reads a file that is about to be changed, and insists that the model has seen exactly this content.
 * @throws {ToolRefusal} `file.not-read`, `file.stale`, `file.too-large`, `path.*`
 */
export async function readSeenFile(
  resolved: ResolvedPath,
  context: Pick<ToolContext, "knownFile" | "signal">,
  limitBytes: number,
): Promise<CurrentFile> {
  const seen = context.knownFile(resolved.real);
  const path = quotedPath(resolved.shown);
  if (seen === undefined) {
    throw new ToolRefusal(
      "rejected",
      "file.not-read",
      `${path} was not read yet. Read it with read_file, then repeat the change.`,
    );
  }
  context.signal.throwIfAborted();
  const content = await readPinned(resolved, limitBytes);
  context.signal.throwIfAborted();
  const hash = sha256(content);
  if (hash === seen) return { content, hash };
  throw new ToolRefusal(
    "rejected",
    "file.stale",
    `${path} changed since it was read. Read it again, then repeat the change.`,
  );
}

/** The text of a file. @throws {ToolRefusal} `file.binary` */
export function textOf(content: Buffer, shown: string): TextContent {
  const text = decodeText(content);
  if (text !== undefined) return text;
  const about = `${quotedPath(shown)} is not UTF-8 text (${guessBinaryKind(content)}, ${content.length} bytes).`;
  throw new ToolRefusal("rejected", "file.binary", about);
}
