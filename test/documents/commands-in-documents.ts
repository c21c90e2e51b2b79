/** A command line of ours that a document names, as the words that a shell would make of it. */
export interface NamedCommand {
  readonly text: string;
  readonly words: readonly string[];
}

/** Every command line of `capstan` in a document: in fences, after a prompt or alone on its line, and in backticks. */
export function commandsIn(markdown: string): readonly NamedCommand[] {
  const found: string[] = [];
  let fence = "";
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fence = fence === "" ? line : "";
    else if (fence !== "") found.push(...startsIn(line.replace(/^\$ /, "")));
    else
      for (const [, span = ""] of line.matchAll(/`((?:capstan|bin\/capstan) [^`]+)`/g)) found.push(...startsIn(span));
  }
  return found.map((text) => ({ text, words: wordsOf(text) }));
}

/** The parts of a line that begin with our name: of a pipe, of a chain, inside of `$(…)`. */
function startsIn(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|[|;(&] ?)(?:bin\/)?capstan (.*)$/g)].map(([, rest = ""]) => rest);
}

/** As far as the shell reads it as one command. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [, single, double, bare, end] of text.matchAll(
    /'([^']*)'|"((?:\$\([^)]*\)|[^"])*)"|([^\s'"|;&)#]+)|( #|[|;&)#])/g,
  )) {
    if (end !== undefined) break;
    words.push(single ?? double ?? (bare ?? "").replaceAll("\\", ""));
  }
  return words;
}
