import type { Output, Streams } from "@capstan/cli";
import type { CancelReason } from "@capstan/protocol";

/** Exit codes of a second, impatient signal. */
const impatientExitCodes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 };

/** The process's own streams. A reader that went away ends the output, not the process. */
export function processStreams(asciiOnly: boolean): Streams {
  return {
    result: outputOf(process.stdout, false),
    progress: outputOf(process.stderr, asciiOnly),
    colors: wantsColors(process.stderr),
    canErase: canErase(process.stdout) && canErase(process.stderr),
  };
}

/** Cells of the terminal that results go to; none where nobody looks. */
export function screenWidth(): { readonly width?: number } {
  return process.stdout.isTTY ? { width: process.stdout.columns } : {};
}

/**
 * Listens for the user or the system to ask for a stop: the first signal asks for a clean end, the second ends at once.
 * A closed output counts as a request to stop.
 */
export function onStopSignal(listener: (reason: CancelReason) => void): () => void {
  let asked = false;
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = (): void => {
      if (asked) process.exit(impatientExitCodes[signal] ?? 1);
      asked = true;
      listener(signal === "SIGINT" ? "interrupted" : "terminated");
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  const onClosed = (): void => listener("terminated");
  process.stdout.once("error", onClosed);
  return () => {
    for (const remove of handlers) remove();
    process.stdout.off("error", onClosed);
  };
}

const asciiForms: readonly (readonly [RegExp, string])[] = [
  [/▸/g, ">"],
  [/✓/g, "ok"],
  [/✗/g, "x"],
  [/·/g, "-"],
  [/…/g, "..."],
  [/⏎/g, "\\n"],
  [/•/g, "*"],
  [/│/g, "|"],
  [/[├└]/g, "+"],
  [/─/g, "-"],
  [/›/g, ">"],
  [/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏∴]/g, "*"],
  [/◌/g, "o"],
  [/[▌⋮]/g, "|"],
  [/[×⊘]/g, "x"],
  [/↻/g, "~"],
  [/↶/g, "<"],
  [/↑/g, "^"],
  [/→/g, "->"],
  [/☐/g, "[ ]"],
  [/☑/g, "[x]"],
  [/[−—]/g, "-"],
  [/[“”„]/g, '"'],
  [/[‘’]/g, "'"],
];

/** Whether lines that were written can be taken away again. */
function canErase(stream: NodeJS.WriteStream): boolean {
  const { TERM = "" } = process.env;
  return isTerminal(stream) && TERM !== "" && TERM !== "dumb";
}

/** A text in letters that every terminal has. */
export function asciiForm(text: string): string {
  return asciiForms.reduce((line, [from, to]) => line.replace(from, to), text);
}

function outputOf(stream: NodeJS.WriteStream, asciiOnly: boolean): Output {
  // Without a listener a closed pipe would be an uncaught exception.
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  const asSent = asciiOnly ? asciiForm : (text: string): string => text;
  return {
    isTerminal: isTerminal(stream),
    get columns() {
      return isTerminal(stream) && stream.columns > 0 ? stream.columns : undefined;
    },
    get rows() {
      return isTerminal(stream) && stream.rows > 0 ? stream.rows : undefined;
    },
    asSent,
    write(text) {
      if (stream.writable) stream.write(asSent(text));
    },
  };
}

/** Whether a user sees this stream, on a terminal that shows colours, and has not said no. */
export function wantsColors(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "0") return true;
  return isTerminal(stream) && TERM !== "dumb";
}

/** Pipes and files have no such property, whatever the type of streams says. */
function isTerminal({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true;
}

function ignore(): void {
  // Whoever reads us decided to stop reading.
}
