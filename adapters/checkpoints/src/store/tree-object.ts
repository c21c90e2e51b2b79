import { bytesOf, pathText } from "@capstan/byte-paths";
import { type GitObject, gitObject } from "./git-object.ts";

/** `100644`, `100755`: files; `120000`: a link; `40000`: a folder; `160000`: a gap. */
export type EntryMode = "100644" | "100755" | "120000" | "40000" | "160000";

/**
 * A name in a folder. A gap stands for something that is there and was not kept (ignored, too large, special, unreadable), so
 * that it is never taken for something that was created or deleted. In Git's format it is a submodule's entry.
 */
export interface TreeEntry {
  readonly name: string;
  readonly mode: EntryMode;
  readonly id: string;
}

/** The id in a gap: none that any object has. */
export const gapId = "ca957a9000000000000000000000000000000000";

export function encodeTree(entries: readonly TreeEntry[]): GitObject {
  const sorted = entries
    .map((entry) => ({ entry, bytes: bytesOf(entry.name) }))
    .map((each) => ({ ...each, key: sortKey(each.bytes, each.entry.mode) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const sizeBytes = sorted.reduce((sum, { entry, bytes }) => sum + entry.mode.length + bytes.length + 22, 0);
  const content = Buffer.allocUnsafe(sizeBytes);
  let at = 0;
  for (const { entry, bytes } of sorted) {
    at += content.write(`${entry.mode} `, at);
    at += bytes.copy(content, at);
    at += content.write("\0", at);
    at += content.write(entry.id, at, "hex");
  }
  return gitObject("tree", content);
}

export function decodeTree(content: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const mode = toEntryMode(content.toString("latin1", at, space));
    const name = pathText(content.subarray(space + 1, end));
    entries.push({ name, mode, id: content.toString("hex", end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
}

function toEntryMode(text: string): EntryMode {
  switch (text) {
    case "100644":
    case "100755":
    case "120000":
    case "40000":
      return text;
    default:
      return "160000";
  }
}

/** Git orders by bytes, a folder as if its name ended with a slash. */
function sortKey(bytes: Buffer, mode: EntryMode): string {
  const text = bytes.toString("latin1");
  return mode === "40000" ? `${text}/` : text;
}
