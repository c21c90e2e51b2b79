/**
 * Which argument makes a program known for something else start other programs or write files. A rule like `rg *` was written
 * for searching, so it does not cover `rg --pre`; a rule that spells the argument out does.
 * @returns the argument; `undefined`: none that we know of
 */
export function hiddenProgramIn(words: readonly string[]): string | undefined {
  const [program = "", ...others] = words;
  const options = hiddenOptions.get(program.slice(program.lastIndexOf("/") + 1));
  return options === undefined ? undefined : others.find((word) => options.test(word));
}

// Long options by every prefix that GNU programs take for them.
const hiddenOptions: ReadonlyMap<string, RegExp> = new Map([
  ["rg", /^--(?:pre?(?:-.*)?|ho.*|sea.*)(?:=|$)|^-(?!-)[A-Za-z0-9.]*z/],
  ["find", /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/],
  ["fd", /^(?:-[a-zA-Z]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/],
  ["fdfind", /^(?:-[a-zA-Z]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/],
  ["sort", /^--(?:co|o)|^-(?!-)[a-zA-Z]*o/],
  ["tar", /^--(?:to-c|use-c|checkpoint-a|rmt|rsh|info-s|new-v|index-f)|^-(?!-)[a-zA-Z]*[IF]/],
  [
    "git",
    /^(?:-c.*|--(?:config-env|exec-path|upload-pack|receive-pack|exec|open-files|output|ext-diff|textconv)(?:=.*)?|-O.*)$/,
  ],
  ["sed", /^--in|^-(?!-)[a-zA-Z]*i|^--e|^-(?!-)[a-zA-Z]*f|^--fi/],
  ["diff", /^--(?:output|to-file)/],
  ["man", /^(?:-P|--pager|-H|--html)/],
  ["tree", /^-[a-zA-Z]*o|^--output/],
  ["date", /^-(?!-)[a-zA-Z]*s|^--s/],
]);
