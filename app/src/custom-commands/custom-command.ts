/** A Markdown file that stands for a prompt, or a script that its user runs. */
export interface CustomCommand {
  /** As it is typed, without the slash; a folder's name stands before it (`git:review`). */
  readonly name: string;
  /** Of one that comes with Capstan there is none. */
  readonly file?: string;
  readonly from: "user" | "workspace" | "capstan";
  readonly description: string;
  /** What is to be written behind the name. */
  readonly argumentHint?: string;
  /** What goes to the model, with places for the arguments; of a script its text. */
  readonly body: string;
  /** Program and arguments that read a script from standard input, its arguments behind them. */
  readonly interpreter?: readonly string[];
}

/**
 * Reads a command file: front matter between lines of `---`, then the prompt. Of the front matter the description and the
 * argument hint are read, line by line: hints as people write them (`[file] [words]`) are no YAML.
 */
export function readCustomCommand(place: Pick<CustomCommand, "name" | "file" | "from">, text: string): CustomCommand {
  const whole = plain(text);
  const parts = /^---[ \t]*\n([\s\S]*?\n)??---[ \t]*(?:\n([\s\S]*))?$/.exec(whole);
  const front = parts?.[1] ?? "";
  const body = (parts === null ? whole : (parts[2] ?? "")).trim();
  const hint = fieldOf(front, "argument-hint");
  return {
    ...place,
    description: fieldOf(front, "description") ?? firstLine(body),
    ...(hint === undefined ? {} : { argumentHint: hint }),
    body,
  };
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** The value of a field, with the indented lines that continue it. */
function fieldOf(front: string, field: string): string | undefined {
  const lines = front.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`${field}:`));
  if (start === -1) return undefined;
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => !/^[ \t]/.test(line));
  const first = (lines[start] ?? "").slice(field.length + 1).trim();
  const words = [/^[>|][+-]?$/.test(first) ? "" : first, ...after.slice(0, end === -1 ? after.length : end)];
  const value = words
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
  const unquoted = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  return unquoted === "" ? undefined : unquoted;
}

function firstLine(body: string): string {
  const line = body.split("\n", 1)[0] ?? "";
  return line.replace(/^#+\s*/, "");
}
