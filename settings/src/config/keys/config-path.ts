/** Names from the outermost table to the value. */
export type ConfigSegments = readonly string[];

/** A path as people write it: dots between names, quotes where a name needs them (`models."vendor/id".price_input`). */
export function pathText(segments: ConfigSegments): string {
  return segments.map((segment) => (/^[\w-]+$/.test(segment) ? segment : JSON.stringify(segment))).join(".");
}

/** The names of a written path; `undefined` when it is malformed. Takes bare names and both kinds of TOML quotes. */
export function parsePath(text: string): ConfigSegments | undefined {
  const segments: string[] = [];
  let rest = text.trim();
  for (;;) {
    const match = segmentPattern.exec(rest);
    if (match === null) return undefined;
    const segment = segmentText(match);
    if (segment === undefined) return undefined;
    segments.push(segment);
    rest = rest.slice(match[0].length).trimStart();
    if (rest === "") return segments;
    if (!rest.startsWith(".")) return undefined;
    rest = rest.slice(1).trimStart();
  }
}

const segmentPattern = /^(?:([\w-]+)|("(?:[^"\\]|\\.)*")|'([^']*)')/;

function segmentText([, bare, quoted, literal]: RegExpExecArray): string | undefined {
  if (bare !== undefined) return bare;
  if (quoted === undefined) return literal;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
