/**
 * A gatekeeper as careless agents have had it: what begins like something allowed is allowed, what only reads is known by the
 * name of its first program, what is denied is looked for in the first place only, and what was once agreed to for good is kept
 * by its first word.
 * @param agreed  commands a user agreed to for good
 */
export function judgeNaively(
  command: string | readonly string[],
  agreed: readonly string[] = [],
): "allow" | "ask" | "deny" {
  const text = typeof command === "string" ? command : command.join(" ");
  const first = firstWord(text);
  if (denied.includes(first)) return "deny";
  if (prefixes.some((prefix) => text.startsWith(prefix))) return "allow";
  if (agreed.some((one) => firstWord(one) === first)) return "allow";
  const name = first.slice(first.lastIndexOf("/") + 1);
  return knownReaders.has(name.replace(/[^\w.-].*$/s, "")) ? "allow" : "ask";
}

/** Of a command, what stands behind its assignments. */
export function firstWord(text: string): string {
  return (
    text
      .trimStart()
      .split(/\s+/)
      .find((word) => !/^\w+=/.test(word)) ?? ""
  );
}

const denied: readonly string[] = ["curl", "rm"];
const prefixes: readonly string[] = ["echo", "ls", "rg", "git status"];

/** What lists of "read-only" programs have held, and the wrappers that were looked through. */
const knownReaders: ReadonlySet<string> = new Set(
  (
    "awk basename cat cd column cut date df diff dig dirname docker du echo env file find gawk git grep head host hostname jq kubectl " +
    "less ls man more nice nl node npm nslookup perl ping pip pwd python python3 rg sed sort stat strings tail tar time timeout " +
    "tr tree true type uname uniq wc which whoami xargs xxd"
  ).split(" "),
);
