import { createHash } from "node:crypto";

/** What the store holds: a file's content (or a link's target), or a folder. */
export type ObjectKind = "blob" | "tree";

/** An object as Git names it: the SHA-1 (hex) of its header and content. */
export interface GitObject {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly content: Buffer;
}

export function gitObject(kind: ObjectKind, content: Buffer): GitObject {
  return { id: hashObject(kind, content), kind, content };
}

/** What stands before the content where it is hashed. */
export function objectHeader(kind: ObjectKind, sizeBytes: number): string {
  return `${kind} ${sizeBytes}\0`;
}

/** Whether a text has the form of an object's id. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

function hashObject(kind: ObjectKind, content: Buffer): string {
  return createHash("sha1").update(objectHeader(kind, content.length)).update(content).digest("hex");
}
