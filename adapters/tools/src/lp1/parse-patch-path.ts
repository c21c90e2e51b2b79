/** A path as written after `F`, or why it cannot be read. */
export type PatchPath =
  | { readonly type: "path"; readonly path: string }
  | { readonly type: "wrong"; readonly problem: string; readonly advice: string };

/**
 * Reads the path of a file section: the first word (the rest of the line is ignored), or a text in double quotes, where `\"` and
 * `\\` are the only escapes and nothing may follow.
 */
export function parsePatchPath(rest: string): PatchPath {
  const text = rest.trim();
  if (!text.startsWith('"')) {
    const path = /^\S+/.exec(text)?.[0];
    return path === undefined ? wrong("Missing file path", "Write F <path>.") : { type: "path", path };
  }
  let path = "";
  for (let index = 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') return closedPath(path, text.slice(index + 1));
    if (character !== "\\") {
      path += character;
      continue;
    }
    index += 1;
    const escaped = text.charAt(index);
    if (escaped === "") break;
    if (escaped !== '"' && escaped !== "\\") {
      return wrong("Invalid escape in quoted path", 'Only \\" and \\\\ are escapes.');
    }
    path += escaped;
  }
  return wrong("Unterminated quoted path", 'Close the path with ".');
}

function closedPath(path: string, after: string): PatchPath {
  if (path === "") return wrong("Missing file path", "The quotes are empty.");
  if (after.trim() === "") return { type: "path", path };
  return wrong("Unexpected text after quoted path", "The closing quote must be the last character of the line.");
}

function wrong(problem: string, advice: string): PatchPath {
  return { type: "wrong", problem, advice };
}
