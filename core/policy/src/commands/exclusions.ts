/** Options whose value says what a program leaves out, by program. */
const leavingOut: Readonly<Record<string, readonly string[]>> = {
  grep: ["--exclude", "--exclude-dir"],
  egrep: ["--exclude", "--exclude-dir"],
  fgrep: ["--exclude", "--exclude-dir"],
  tar: ["--exclude"],
  rsync: ["--exclude"],
  du: ["--exclude"],
  tree: ["-I"],
};

/**
 * A command's words without the patterns of what it leaves out: `grep --exclude-dir=.git x .` names `.git` in order not to read it.
 * Only of programs and options known to mean that; all else stays. An option apart from its value counts only as the first word:
 * later it may itself be the value of another.
 */
export function withoutExclusions(words: readonly string[]): readonly string[] {
  const program = words[0]?.replace(/^(?:\/usr)?\/bin\//, "") ?? "";
  if (program === "find") return withoutPrunes(words);
  const options = Object.hasOwn(leavingOut, program) ? (leavingOut[program] ?? []) : [];
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return words.filter((word, at) => {
    const isJoined = at < end && options.some((option) => word.startsWith(`${option}=`));
    const isApart = at === 2 && options.includes(words[1] ?? "") && !word.startsWith("-");
    return !(isJoined || isApart);
  });
}

const nameTests: ReadonlySet<string> = new Set(["-path", "-name", "-wholename", "-ipath", "-iname", "-iwholename"]);
/** With these `find` does more than print names, or a negation may mean the files themselves. */
const morePattern = /^-(?:exec|ok|delete|f|o$|or$)|^,$/;

/** `-not -path X` where `find` only prints, and `-path X -prune -o`. */
function withoutPrunes(words: readonly string[]): readonly string[] {
  const others = words.filter((word) => morePattern.test(word));
  const onlyOr = others.every((word) => isOr(word));
  return words.filter((_, at) => {
    if (!nameTests.has(words[at - 1] ?? "")) return true;
    const isNegated = others.length === 0 && (words[at - 2] === "-not" || words[at - 2] === "!");
    const isPruned = onlyOr && words[at + 1] === "-prune" && isOr(words[at + 2]);
    return !(isNegated || isPruned);
  });
}

function isOr(word: string | undefined): boolean {
  return word === "-o" || word === "-or";
}
