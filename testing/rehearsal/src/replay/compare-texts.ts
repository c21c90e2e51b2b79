/** Whether two texts of two runs say the same. */
export interface TextComparer {
  isSame(recorded: string, came: string): boolean;
}

/** How clients tell the model where they work; the directory is a whole line, or a tag. */
const directoryWords = /(?:working directory|\bcwd)\\?"?(?:: ?|>)\\?"?(\/[^\\\n<>"]+)/gi;

/** What no two runs share, with the word that stands for it. */
const volatileShapes: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?/g, "<date>"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>"],
  [/\bduration_ms:? ?\d+(?:\.\d+)?/g, "<duration>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|minutes?)\b/g, "<duration>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/gi, "<id>"],
  [/(?:\/private)?\/var\/folders\/[^/\s"'`]+\/[^/\s"'`]+\/[TC]\/[^/\s"'`]+/g, "<temporary>"],
  [/(?:\/private)?(?:\/var)?\/tmp\/[^/\s"'`]+/g, "<temporary>"],
  [/\/(?:home|Users)\/[^/\s"'`]+/g, "<home>"],
];

/** What stands in a recording for a secret; anything may have stood there. */
const removed = "***";

/**
 * Compares texts of two requests, each with its own directories. Not distinguished: dates and times, durations, UUIDs and ULIDs,
 * the working directory as the request itself names it, a temporary directory's or a home's own name; and whatever a secret was.
 */
export function createTextComparer(recorded: unknown, came: unknown): TextComparer {
  const [before, now] = [normaliserOf(recorded), normaliserOf(came)];
  return {
    isSame: (one, other) => one === other || fits(before(one), now(other)),
  };
}

function normaliserOf(body: unknown): (text: string) => string {
  const json = JSON.stringify(body) ?? "";
  const directories = new Set(
    [...json.matchAll(directoryWords)].map(([, path = ""]) => path.trim().replace(/\/$/, "")),
  );
  const longestFirst = [...directories].filter((path) => path !== "").toSorted((a, b) => b.length - a.length);
  return (text) => {
    const placed = longestFirst.reduce((said, path) => said.replaceAll(path, "<directory>"), text);
    return volatileShapes.reduce((said, [shape, word]) => said.replace(shape, word), placed);
  };
}

/** What stands between removed secrets must occur in order, the first at the beginning and the last at the end. */
function fits(recorded: string, came: string): boolean {
  const [head = "", ...rest] = recorded.split(removed);
  const tail = rest.pop();
  if (tail === undefined) return recorded === came;
  if (!came.startsWith(head)) return false;
  let at = head.length;
  for (const piece of rest) {
    const found = came.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return came.length - tail.length >= at && came.endsWith(tail);
}
