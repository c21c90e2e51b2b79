import { executingSedScripts } from "./sed-scripts.ts";

/**
 * Which arguments make a program known for something else start other programs, write files or work in another folder. A rule
 * like `rg *` was written for searching, so it does not cover `rg --pre`; a rule that spells the argument out does.
 * @returns the arguments without their values; empty: none that we know of
 */
export function hiddenPrograms(words: readonly string[]): readonly string[] {
  const [path = "", ...others] = words;
  const program = path.slice(path.lastIndexOf("/") + 1);
  const name = sameProgram.find(([pattern]) => pattern.test(program))?.[1] ?? program;
  const found = others.filter((word) => hiddenOptions.get(name)?.test(word) === true);
  const own = ownOptions(others).filter((word) => hiddenOwnOptions.get(name)?.test(word) === true);
  const elsewhere = name === "npm" ? beforeDashes(others).filter((word) => ofAnotherPackage.test(word)) : [];
  const options = [...found, ...own, ...elsewhere, ...hiddenActions(name, others)].map((word) =>
    word.replace(/=.*$/s, ""),
  );
  return name === "sed" ? [...options, ...executingSedScripts(others)] : options;
}

const sameProgram: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, "npm"],
  [/^(?:node|nodejs)\d*$/, "node"],
  [/^python[0-9.]*$/, "python"],
  [/^g?make$/, "make"],
  [/^gsed$/, "sed"],
  [/^fdfind$/, "fd"],
];

// Long options by every prefix that GNU programs and git take for them; npm also takes them behind one dash, node with underscores.
const hiddenOptions: ReadonlyMap<string, RegExp> = new Map([
  ["rg", /^--(?:pre?(?:-.*)?|ho.*|sea.*)(?:=|$)|^-(?!-)[A-Za-z0-9.]*z/],
  ["find", /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/],
  ["fd", /^(?:-[a-zA-Z]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/],
  ["sort", /^--(?:co|o)|^-(?!-)[a-zA-Z]*o/],
  ["tar", /^--(?:to-c|use-c|checkpoint-a|rmt|rsh|info-s|new-v|index-f)|^-(?!-)[a-zA-Z]*[IF]/],
  ["git", /^-c|^--(?:conf|exe|upl|rece|op|out|ext(?:-|c|$|=)|textc|tem)|^-O|^ext::/],
  [
    "npm",
    /^--?(?:prefi|scr(?!ipts-)|she|node-o|init-m|userc|globalc|git(?:=|$)|edit|viewe|dir(?:=|$)|cwd|onload|test[-_]reporter|import|require|eval)|^-C/,
  ],
  ["sed", /^--in|^-(?!-)[a-zA-Z]*i|^--e|^-(?!-)[a-zA-Z]*f|^--fi/],
  ["diff", /^--(?:output|to-file)/],
  ["man", /^(?:-P|--pager|-H|--html)/],
  ["tree", /^-[a-zA-Z]*o|^--output/],
  ["date", /^-(?!-)[a-zA-Z]*s|^--s/],
  [
    "make",
    /^--(?:ev|fi|mak|dir|inc)|^-(?!-)[a-zA-Z]*[CEfI]|^\w[\w.]*[:+?!]*=(?!(?:\d*|[yn]|yes|no|on|off|true|false)$)/,
  ],
  ["go", /^--?(?:exec|toolexec|vettool|overlay|C)(?:=|$)/],
  ["rsync", /^--(?:rsh|rsync-path)|^-(?!-)[a-zA-Z0-9]*e/],
  ["cargo", /^--(?:config|manifest-path)|^-C/],
]);

// What stands before the script that an interpreter runs, or git's subcommand; behind it, arguments are the script's.
const hiddenOwnOptions: ReadonlyMap<string, RegExp> = new Map([
  // Of another repository; behind a subcommand the same letters mean something else.
  ["git", /^(?:-C|--git-|--work-|--name|--sup)/],
  [
    "node",
    /^-(?!-)[a-zA-Z]*[rep]|^--(?:require|import|loader|experimental.loader|eval|print|run|env.file|test.reporter|test.global.setup|snapshot.blob|openssl.config|experimental.config)/,
  ],
  ["python", /^-(?!-)[a-zA-Z]*c/],
  ["ruby", /^-(?!-)[a-zA-Z]*[er]/],
  ["perl", /^-(?!-)[a-zA-Z0-9]*[eEmM]/],
  ["php", /^-(?!-)[a-zA-Z]*[rBREd]|^--(?:run|process|define)/],
]);

/** Scripts of another package of the workspace, or of all. Behind `--` stand the script's own arguments. */
const ofAnotherPackage = /^(?:-(?!-)[a-zA-Z]*[wrF]|-ws|--?(?:work|include-w|fil|rec))|^workspaces?$/;

function beforeDashes(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return dashes === -1 ? words : words.slice(0, dashes);
}

function ownOptions(words: readonly string[]): readonly string[] {
  const script = words.findIndex((word, at) => !word.startsWith("-") && !mayTakeValue(words[at - 1]));
  return script === -1 ? words : words.slice(0, script);
}

function mayTakeValue(option: string | undefined): boolean {
  return option?.startsWith("-") === true && !option.includes("=");
}

/** What follows a git subcommand. The subcommand may stand behind options with values, so it is looked for everywhere. */
const gitActions: readonly (readonly [subcommand: string, argument: RegExp])[] = [
  ["rebase", /^-(?!-)[a-zA-Z]*x/],
  ["difftool", /^-(?!-)[a-zA-Z]*x/],
  ["clone", /^-(?!-)[a-zA-Z]*u/],
  ["bisect", /^run$/],
  ["submodule", /^foreach$/],
  ["hook", /^run$/],
  ["filter-branch", /^filter-branch$/],
  ["instaweb", /^instaweb$/],
  ["send-email", /^--(?:smtp-server|sendmail-cmd|[a-z]+-cmd)/],
  [
    "config",
    /^(?:alias\.|include|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|worktree)|(?:sequence|gpg|diff|pager|credential|filter|merge|difftool|mergetool|browser|man|interactive|submodule|remote|uploadpack|url|sendemail|init)\.(?!name$).*(?:editor|program|external|helper|command|cmd|path|clean|smudge|process|driver|textconv|difffilter|update|uploadpack|receivepack|hook|insteadof|templatedir)|pager\.)/i,
  ],
];

function hiddenActions(name: string, words: readonly string[]): readonly string[] {
  if (name !== "git") return [];
  return gitActions.flatMap(([subcommand, argument]) =>
    words.includes(subcommand) ? words.filter((word) => argument.test(word)) : [],
  );
}
