import type { CommandForm } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { blankRunLength, summaryLength } from "./limits.ts";

/**
 * The command as people approve it: one line, whole, with nothing in it that could hide or fake a part. Every mark of
 * ours begins with `⟨` or is `⏎`; the same characters inside a command are themselves marked, so that none can be forged.
 * Of more than `summaryLength` characters the middle is left out, and counted.
 */
export function commandSummary(form: CommandForm): string {
  return cutMiddle(commandText(form).replace(unsafe, showUnsafe));
}

function commandText(form: CommandForm): string {
  switch (form.type) {
    case "argv":
      return form.argv.map(quoteWord).join(" ");
    case "script":
      return form.script;
    default:
      return unreachable(form);
  }
}

/** As a shell would need it, so that people see where each argument begins and ends. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

// A long run of blanks, or one character that is a control, format, private use, half of a pair, or a space but U+0020.
const unsafe = new RegExp(
  `[ \\t\\r\\n]{${blankRunLength + 1},}|[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}⟨⟩⏎]|(?! )\\p{Zs}`,
  "gu",
);

function showUnsafe(found: string): string {
  if (found.length > blankRunLength) return `⟨${found.length} ${nameBlanks(found)}⟩`;
  if (found === "\n") return "⏎";
  return `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function nameBlanks(run: string): string {
  if (/^ +$/.test(run)) return "spaces";
  return /^\n+$/.test(run) ? "newlines" : "blanks";
}

function cutMiddle(line: string): string {
  if (line.length <= summaryLength) return line;
  const half = Math.floor(summaryLength / 2) - 20;
  // Neither a mark nor a surrogate pair is cut in two.
  const head = line.slice(0, half).replace(/(?:⟨[^⟩]*|[\ud800-\udbff])$/, "");
  const tail = line.slice(-half).replace(/^(?:[^⟨]*⟩|[\udc00-\udfff])/, "");
  return `${head} ⟨… ${line.length - head.length - tail.length} more …⟩ ${tail}`;
}
