/**
 * The scripts among sed's arguments that may start programs (`1e`, `s/a/b/e`) or write files (`w out`): all that are not certainly
 * without. A script is a list of commands with line numbers or patterns before them; blocks and comments are not read.
 */
export function executingSedScripts(words: readonly string[]): readonly string[] {
  return scriptsIn(words).filter((script) => !isHarmless(script));
}

function scriptsIn(words: readonly string[]): readonly string[] {
  const spelled = words.flatMap((word, at) => {
    const joined = /^-[a-df-zA-Z]*e(.+)$/s.exec(word)?.[1];
    const next = /^-[a-df-zA-Z]*e$/.test(word) ? words[at + 1] : undefined;
    return [joined ?? next].filter((script) => script !== undefined);
  });
  if (spelled.length > 0) return spelled;
  const operand = words.find((word) => !word.startsWith("-"));
  return operand === undefined ? [] : [operand];
}

// Each has one reading only, so that matching is linear.
const address = String.raw`(?:\d+|\$|\/(?:[^\/\\]|\\[^])*\/I?)`;
const addresses = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+)|~\d+)?)?\s*!?\s*`;
const substitution = String.raw`s([^\\\n])(?:(?!\1)[^\\]|\\[^])*\1(?:(?!\1)[^\\]|\\[^])*\1[gpiIm\d]*`;
const command = new RegExp(
  String.raw`[\s;]*${addresses}(?:${substitution}|[pdDPgGhHnNxlqQ=zF]|[aic][^\n]*|[btT:] *\w*)\s*(?:[;\n]|$)`,
  "y",
);

function isHarmless(script: string): boolean {
  let position = 0;
  while (position < script.length) {
    command.lastIndex = position;
    const found = command.exec(script)?.[0] ?? "";
    if (found === "") return false;
    position += found.length;
  }
  return true;
}
