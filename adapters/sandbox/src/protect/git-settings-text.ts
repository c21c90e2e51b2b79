/** One setting of a git configuration file: section, subsection and name in one, in small letters but for the subsection. */
export interface GitSetting {
  readonly name: string;
  readonly value: string;
}

/**
 * The settings in a text, read as git reads it: several sections on a line, quotes within values, lines that continue. Where git
 * would give up, the rest of the line is passed over.
 */
export function parseGitSettings(text: string): readonly GitSetting[] {
  const settings: GitSetting[] = [];
  let section = "";
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (/\s/.test(character)) at += 1;
    else if (character === "#" || character === ";") at = lineEnd(text, at);
    else if (character === "[") {
      const head = readSection(text, at);
      if (head === undefined) at = lineEnd(text, at);
      else ({ name: section, next: at } = head);
    } else {
      const { setting, next } = readSetting(text, at, section);
      if (setting !== undefined) settings.push(setting);
      at = next;
    }
  }
  return settings;
}

function readSection(text: string, at: number): { readonly name: string; readonly next: number } | undefined {
  const pattern = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]/y;
  pattern.lastIndex = at;
  const [whole = "", head = "", subsection] = pattern.exec(text) ?? [];
  if (head === "") return undefined;
  const name = head.toLowerCase();
  return {
    name: subsection === undefined ? name : `${name}.${subsection.replaceAll(/\\(.)/g, "$1")}`,
    next: at + whole.length,
  };
}

function readSetting(
  text: string,
  at: number,
  section: string,
): { readonly setting: GitSetting | undefined; readonly next: number } {
  const pattern = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|\r?\n|$|(?=[#;]))/y;
  pattern.lastIndex = at;
  const [whole = "", word = "", sign] = pattern.exec(text) ?? [];
  if (word === "") return { setting: undefined, next: lineEnd(text, at) };
  const name = `${section}.${word.toLowerCase()}`;
  const from = at + whole.length;
  if (sign !== "=") return { setting: { name, value: "true" }, next: from };
  const { value, next } = readValue(text, from);
  return { setting: { name, value }, next };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

function readValue(text: string, from: number): { readonly value: string; readonly next: number } {
  let value = "";
  let blanks = "";
  let quoted = false;
  let at = from;
  const add = (characters: string): void => {
    value += (value === "" && !quoted ? "" : blanks) + characters;
    blanks = "";
  };
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\n") break;
    if (character === '"') {
      add("");
      quoted = !quoted;
    } else if (character === "\\") {
      at += text.startsWith("\r\n", at + 1) ? 2 : 1;
      const next = text.charAt(at);
      if (next !== "\n") add(escapes[next] ?? next);
    } else if (!quoted && (character === "#" || character === ";")) {
      at = lineEnd(text, at);
      break;
    } else if (!quoted && /\s/.test(character)) blanks += character;
    else add(character);
  }
  return { value, next: at };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
