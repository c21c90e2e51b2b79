import { inertText } from "@capstan/patterns";
import type { DiffTree, DiffLine } from "./diff-tree.ts";
import { diffLinesShown } from "../limits.ts";
import { markWords } from "./mark-words.ts";

/** Total: what is no diff gives no files, and what stands outside of hunks is passed over. */
export function parseDiff(diff: string): DiffTree {
  const reader = new DiffReader();
  for (const line of inertText(diff).split("\n")) reader.read(line);
  return reader.tree();
}

interface OpenHunk {
  readonly heading: string;
  readonly lines: DiffLine[];
  /** Numbers of the next lines, and how many are to come. */
  before: number;
  after: number;
  beforeLeft: number;
  afterLeft: number;
}

interface OpenFile {
  before: string | null;
  after: string | null;
  readonly hunks: OpenHunk[];
}

class DiffReader {
  readonly #files: OpenFile[] = [];
  #file: OpenFile | undefined;
  #hunk: OpenHunk | undefined;
  #lines = 0;
  #leftOut = 0;

  read(line: string): void {
    const hunk = this.#hunk;
    if (hunk !== undefined && (hunk.beforeLeft > 0 || hunk.afterLeft > 0) && this.#readLine(hunk, line)) return;
    if (hunk !== undefined && line.startsWith("\\ ")) return this.#add(hunk, { type: "note", text: line.slice(2) });
    this.#readHead(line);
  }

  tree(): DiffTree {
    const files = this.#files.map(({ before, after, hunks }) => ({
      before,
      after,
      hunks: hunks.map(({ heading, lines }) => ({ heading, lines })),
    }));
    return { files: markWords(files), linesLeftOut: this.#leftOut };
  }

  #readHead(line: string): void {
    const head = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/.exec(line);
    const cut = /^\[diff cut: (\d{1,9}) more lines\]$/.exec(line);
    if (cut !== null) this.#leftOut += Number(cut[1]);
    else if (line.startsWith("--- ")) this.#newFile().before = pathOf(line, "a/");
    else if (line.startsWith("+++ ") && this.#hunk === undefined) this.#current().after = pathOf(line, "b/");
    else if (head !== null) this.#openHunk(head);
  }

  #openHunk([, before = "1", beforeCount = "1", after = "1", afterCount = "1", heading = ""]: RegExpExecArray): void {
    const file = this.#current();
    const hunk: OpenHunk = {
      heading,
      lines: [],
      before: Number(before),
      after: Number(after),
      beforeLeft: Number(beforeCount),
      afterLeft: Number(afterCount),
    };
    file.hunks.push(hunk);
    this.#hunk = hunk;
  }

  /** @returns whether the line is one of the hunk's */
  #readLine(hunk: OpenHunk, line: string): boolean {
    const text = line.slice(1);
    switch (line[0] ?? " ") {
      case " ":
        this.#add(hunk, { type: "same", before: hunk.before, after: hunk.after, text });
        hunk.before += 1;
        hunk.after += 1;
        hunk.beforeLeft -= 1;
        hunk.afterLeft -= 1;
        return true;
      case "-":
        this.#add(hunk, { type: "removed", before: hunk.before, text, marks: null });
        hunk.before += 1;
        hunk.beforeLeft -= 1;
        return true;
      case "+":
        this.#add(hunk, { type: "added", after: hunk.after, text, marks: null });
        hunk.after += 1;
        hunk.afterLeft -= 1;
        return true;
      default:
        return false;
    }
  }

  #add({ lines }: OpenHunk, line: DiffLine): void {
    if (this.#lines >= diffLinesShown) {
      this.#leftOut += 1;
      return;
    }
    this.#lines += 1;
    lines.push(line);
  }

  #current(): OpenFile {
    return this.#file ?? this.#newFile();
  }

  #newFile(): OpenFile {
    const file: OpenFile = { before: null, after: null, hunks: [] };
    this.#files.push(file);
    this.#file = file;
    this.#hunk = undefined;
    return file;
  }
}

function pathOf(line: string, prefix: string): string | null {
  const path = line.slice(4).replace(/\t.*$/, "");
  if (path === "/dev/null") return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
