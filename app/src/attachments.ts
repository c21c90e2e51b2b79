import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { AppError, messageOf, type UserContent } from "@capstan/protocol";

/** Vendors take requests of 20 to 32 MB as a whole, and base64 makes a third more of every file. */
export const maxAttachmentBytes: number = 15 * 1024 * 1024;
/** Attachments of one prompt. */
const maxAttachments = 20;

/** How files of a kind begin: bytes at a place, as Latin-1 text. */
const signatures: readonly (readonly [mediaType: string, ...marks: (readonly [at: number, bytes: string])[]])[] = [
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/gif", [0, "GIF8"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["image/heic", [4, "ftypheic"]],
  ["application/pdf", [0, "%PDF-"]],
  ["audio/wav", [0, "RIFF"], [8, "WAVE"]],
  ["audio/mp3", [0, "ID3"]],
  ["audio/mp3", [0, "\xff\xfb"]],
  ["audio/ogg", [0, "OggS"]],
  ["audio/flac", [0, "fLaC"]],
  ["video/webm", [0, "\x1aE\xdf\xa3"]],
  ["video/mp4", [4, "ftyp"]],
];

/**
 * Reads files that go to the model with the prompt; what they are is recognised by their content, not by their name.
 * @param paths  relative to the current directory
 * @throws {AppError} `usage.invalid` naming the file and what is wrong with it
 */
export async function readAttachments(paths: readonly string[]): Promise<readonly UserContent[]> {
  if (paths.length > maxAttachments) throw refuse(`at most ${maxAttachments} files can be attached`);
  return Promise.all(paths.map(readAttachment));
}

async function readAttachment(path: string): Promise<UserContent> {
  if (path === "") throw refuse("--attach was given an empty name");
  const bytes = await readBytes(path);
  if (bytes.length === 0) throw refuse(`${path} is empty`);
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === undefined) {
    throw refuse(`${path} is neither text nor an image, PDF, audio or video that models take`);
  }
  return { type: "media", mediaType, data: bytes.toString("base64"), name: basename(path) };
}

async function readBytes(path: string): Promise<Buffer> {
  // A pipe that nobody writes to must not hold the process.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(unreadable(path));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw refuse(`${path} is not a file`);
    if (stats.size > maxAttachmentBytes) throw refuse(`${path} has more than ${maxAttachmentBytes / 1024 / 1024} MB`);
    return await file.readFile().catch(unreadable(path));
  } finally {
    await file.close();
  }
}

/** What bytes are by how they begin; `undefined`: neither text nor anything that models take. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 64);
  const known = signatures.find(([, ...marks]) => marks.every(([at, mark]) => head.startsWith(mark, at)));
  if (known !== undefined) return known[0];
  return isText(bytes) ? "text/plain" : undefined;
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function refuse(message: string): AppError {
  return new AppError("usage.invalid", message, { hint: "Name existing files after --attach, one each." });
}

function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    throw refuse(`${path} cannot be read: ${messageOf(error)}`);
  };
}
