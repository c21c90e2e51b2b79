/** Names of tools as people write them after a flag that takes several, each as a word of its own. */
const toolWord =
  /^(?:[A-Za-z_][\w-]*\([^]*\)|Bash|Read|Edit|MultiEdit|Write|Glob|Grep|LS|NotebookEdit|WebFetch|WebSearch|TodoWrite|mcp__\w+)$/;
const severalFlags: ReadonlySet<string> = new Set([
  "--allowedTools",
  "--allowed-tools",
  "--disallowedTools",
  "--disallowed-tools",
  "--tools",
  "--disable-tools",
]);

/**
 * Gives each rule behind such a flag its own: `--allowedTools "Bash(git log:*)" Read "fix it"` allows two, and asks for a third thing.
 * A word is only taken from the prompt when it is a rule or a tool's name.
 */
export function withRepeatedToolFlags(words: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return [...result, ...words.slice(at)];
    result.push(word);
    const value = words[at + 1];
    // `--tools` of `mcp serve` takes none: a flag is no tool.
    if (!severalFlags.has(word) || value === undefined || value.startsWith("-")) continue;
    result.push(value);
    at += 1;
    for (let next = words[at + 1]; next !== undefined && toolWord.test(next); next = words[at + 1]) {
      result.push(word, next);
      at += 1;
    }
  }
  return result;
}

/** `Bash(git log:*),Read Edit` as its parts: commas and spaces separate, but not within parentheses. */
export function splitTools(text: string): readonly string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth <= 0 && /[\s,]/.test(character)) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  return parts.filter((part) => part !== "");
}
