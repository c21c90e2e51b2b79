import { createInterface } from "node:readline/promises";
import { differenceText, placeText, type TrustAnswer, trustClasses, type TrustQuestion } from "@capstan/host";
import { continuesAfterStop } from "./asking/stopped-terminal.ts";
import { visibleText } from "./visible-text.ts";

/** How long a question waits before it counts as answered with no. */
const answerWithinMs = 10 * 60 * 1000;
/** Words that are no answer, before the question counts as answered with no. */
const maxRounds = 10;
/** Lines of one file shown. Whoever wants more opens the file. */
const maxShownLines = 400;

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks a user once whether they trust a folder. Whatever is not a clear yes is a no: Escape, the end of the input, a wait
 * that is too long, words that are no answer.
 * @param onInterrupt  the user pressed Ctrl-C
 */
export async function askTrust(
  question: TrustQuestion,
  { input, output }: Terminal,
  onInterrupt: () => void,
): Promise<TrustAnswer> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), answerWithinMs);
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const onKey = (_text: unknown, key: { readonly name?: string } | undefined): void => {
    if (key?.name === "escape") over.abort();
  };
  input.on("keypress", onKey);
  lines.once("close", () => over.abort());
  lines.once("SIGINT", () => {
    over.abort();
    onInterrupt();
  });
  continuesAfterStop(lines);
  try {
    output.write(`${introduction(question).join("\n")}\n`);
    for (let round = 0; round < maxRounds; round += 1) {
      const answer = answerOf(await lines.question("Trust it? trust / not now / show: ", { signal: over.signal }));
      if (answer === "show") output.write(`${contents(question).join("\n")}\n`);
      else if (answer !== undefined) return answer;
    }
    return "not-now";
  } catch {
    output.write("\nNot trusted.\n");
    return "not-now";
  } finally {
    clearTimeout(timer);
    input.off("keypress", onKey);
    lines.close();
  }
}

function answerOf(text: string): TrustAnswer | "show" | undefined {
  switch (text.trim().toLowerCase()) {
    case "t":
    case "trust":
      return "trust";
    case "n":
    case "no":
    case "not now":
    case "":
      return "not-now";
    case "s":
    case "show":
      return "show";
    default:
      return undefined;
  }
}

const openings: Readonly<Record<TrustQuestion["why"], string>> = {
  new: "This folder brings along what would change how Capstan works in it:",
  replaced: "Another folder was trusted at this path. This one brings along:",
  changed: "You trusted this folder, and what it brings along has changed since:",
};

/** Nothing has changed where somebody only works in another part of the folder. */
const unseenOpening = "You trusted this folder, and nobody looked into this part of it then. It brings along:";

function introduction({ folder, named, why, places, changed }: TrustQuestion): readonly string[] {
  const asNamed = named === folder ? "" : ` (you are in ${visibleText(named)})`;
  return [
    why === "changed" && changed.every(({ change }) => change === "unseen") ? unseenOpening : openings[why],
    "",
    `  ${visibleText(folder)}${asNamed}`,
    ...(why === "changed" ? changed.flatMap(differenceLines) : places.map(placeLine)),
    "",
    "Without trust Capstan works here as well, and loads none of it.",
  ];
}

function placeLine(place: TrustQuestion["places"][number]): string {
  const about = trustClasses.find((known) => known.name === place.class)?.about ?? "";
  return `    ${placeText(place)}: ${about}`;
}

function differenceLines(difference: TrustQuestion["changed"][number]): readonly string[] {
  const { diff } = difference;
  const lines = diff?.lines ?? ["(what it said before was not kept, or one of the two is no text)"];
  return [`    ${differenceText(difference)}`, ...lines.map((line) => `      ${visibleText(line)}`)];
}

function contents(question: TrustQuestion): readonly string[] {
  return question.read().flatMap(({ name, sha256, bytes }) => {
    const lines = visibleText(bytes.toString("utf8")).replace(/\n$/, "").split("\n");
    const left = lines.length - maxShownLines;
    return [
      `--- ${visibleText(name)} (${bytes.length} bytes, SHA-256 ${sha256})`,
      ...lines.slice(0, maxShownLines).map((line) => `  | ${line}`),
      ...(left > 0 ? [`  … and ${left} more lines`] : []),
    ];
  });
}
