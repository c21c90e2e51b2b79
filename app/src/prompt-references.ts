import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/** A prompt as it was typed, and what it names. */
export interface ReferringPrompt {
  /** As it goes to the model: the names stay in it. */
  readonly text: string;
  /** Files to attach, each once, in their order. */
  readonly files: readonly string[];
  /** Names that look like files and lead to none. */
  readonly missing: readonly string[];
}

/**
 * Finds `@path` and `@"path with blanks"` at the beginning of a word. What leads to no file is a word like any other (`@param`, `@types/node`), and
 * so is what follows a backslash, which is taken away.
 * @param prompt  as typed; paths are relative to the current directory
 */
export function readReferences(prompt: string): ReferringPrompt {
  const files = new Set<string>();
  const missing = new Set<string>();
  for (const [, quoted, plain = ""] of prompt.matchAll(/(?<=^|[\s([{"'`])@(?:"([^"\n]+)"|([^\s"]+))/g)) {
    const names = quoted === undefined ? shorterAndShorter(plain) : [quoted];
    const found = names.find(isFile);
    if (found !== undefined) files.add(found);
    else if (quoted !== undefined || looksLikeFile(names.at(-1) ?? plain)) missing.add(names.at(-1) ?? plain);
  }
  const text = prompt.replaceAll(/(?<=^|[\s([{"'`])\\@/g, "@");
  return { text, files: [...files], missing: [...missing] };
}

/** As written, then without the signs that a sentence puts behind a word. */
function shorterAndShorter(word: string): readonly string[] {
  const names = [word];
  for (let name = word; /[.,;:!?)\]}'`]$/.test(name);) {
    name = name.slice(0, -1);
    if (name !== "") names.push(name);
  }
  return names;
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

/** Its folder is there, and it has an ending: nobody writes a decorator or a package so. */
function looksLikeFile(name: string): boolean {
  const folder = dirname(name);
  if (!/[^/]\.[A-Za-z0-9]+$/.test(name)) return false;
  return folder === "." || statsOf(folder)?.isDirectory() === true;
}

/** Words may name anything: what cannot be looked at (through a file, too long, in a circle) is no file. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
