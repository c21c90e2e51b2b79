import { maxGuesses } from "./limits.ts";
import { gitScripts, packageRunners, shells, type Wrapper, wrappers } from "./wrapper-table.ts";

/** What a command starts: another command by its words, or text that a shell reads. */
export type Started =
  | { readonly type: "words"; readonly words: readonly string[]; readonly via: string }
  | { readonly type: "script"; readonly script: string; readonly via: string };

/** What a command would start, by its own arguments. Where the layout is not known for certain, more than one guess. */
export function startedBy(words: readonly string[]): readonly Started[] {
  const [program = "", ...args] = words;
  const name = programName(program);
  if (shells.has(name)) return startedByShell(name, args);
  if (isLoader(name)) return rest(args, 0, name);
  const wrapper = wrappers.get(name);
  if (wrapper !== undefined && name !== "trap") return startedByWrapper(name, wrapper, args);
  const runner = packageRunners.get(name)?.includes(args[0] ?? "") === true;
  if (runner) return startedByWrapper(`${name} ${args[0]}`, { guess: true, scripts: ["-c", "--call"] }, args.slice(1));
  return startedByOther(name, args);
}

/** Whether a command is, or starts by some way, a program that would read commands from standard input. */
export function readsScript(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      (shells.has(programName(word)) || inputReaders.has(programName(word))) &&
      !words.slice(index + 1).some((option) => /^-[a-zA-Z]*c$/.test(option)),
  );
}

const inputReaders: ReadonlySet<string> = new Set("source . at batch crontab parallel".split(" "));

export function programName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1).toLowerCase();
}

function startedByShell(name: string, args: readonly string[]): readonly Started[] {
  const flag = args.findIndex((word) => /^[-+][a-zA-Z]*c[a-zA-Z]*$/.test(word));
  if (flag === -1) return [];
  // More options may stand between `-c` and the script; the first word that is none is it.
  const script = args
    .slice(flag + 1)
    .find((word, index, all) => !/^[-+]/.test(word) && !/^[-+]o$/.test(all[index - 1] ?? ""));
  return script === undefined ? [] : [{ type: "script", script, via: `${name} -c` }];
}

function startedByWrapper(name: string, wrapper: Wrapper, args: readonly string[]): readonly Started[] {
  const found: Started[] = [];
  let operands = wrapper.operands ?? 0;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    const option = scriptOption(word, args[index + 1], wrapper);
    if (option !== undefined) {
      found.push({ type: "script", script: option.script, via: `${name} ${option.name}` });
      index += option.taken;
    } else if (word === "--") {
      return [...found, ...command(name, wrapper, args.slice(index + 1 + operands))];
    } else if (/^[-+]./.test(word)) {
      if (takesNext(word, wrapper)) index += 1;
    } else if (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(word)) {
      continue;
    } else if (operands > 0) {
      operands -= 1;
    } else {
      return [...found, ...command(name, wrapper, args.slice(index))];
    }
  }
  return found;
}

/** The words after a wrapper's own arguments. */
function command(name: string, wrapper: Wrapper, words: readonly string[]): readonly Started[] {
  if (words.length === 0) return [];
  const joined: readonly Started[] =
    wrapper.joins === true ? [{ type: "script", script: words.join(" "), via: name }] : [];
  const guesses = wrapper.guess === true ? maxGuesses : 1;
  const starts = words.flatMap((word, index) => (/^[-+]/.test(word) ? [] : [index])).slice(0, guesses);
  if (wrapper.joins === true && wrapper.guess !== true) return joined;
  return [...joined, ...starts.flatMap((start) => rest(words, start, name))];
}

function rest(words: readonly string[], start: number, via: string): readonly Started[] {
  return words.length > start ? [{ type: "words", words: words.slice(start), via }] : [];
}

function scriptOption(
  word: string,
  next: string | undefined,
  { scripts = [] }: Wrapper,
): { readonly name: string; readonly script: string; readonly taken: number } | undefined {
  for (const name of scripts) {
    if (word === name && next !== undefined) return { name, script: commandOfOption(next), taken: 1 };
    const joined = name.startsWith("--") ? `${name}=` : name;
    if (word.startsWith(joined) && word !== name) {
      return { name, script: commandOfOption(word.slice(joined.length)), taken: 0 };
    }
  }
  return undefined;
}

/** `ssh -o ProxyCommand=…` names what it sets. */
function commandOfOption(value: string): string {
  return value.replace(/^(?:Proxy|Local|Remote|KnownHosts|AuthorizedKeys)Command[= ]/i, "");
}

/** `-n 5` and `-in 5` take the next word; `-n5` has its value. */
function takesNext(word: string, { valued = "" }: Wrapper): boolean {
  if (word.startsWith("--")) return false;
  const letters = Array.from(word.slice(1));
  const first = letters.findIndex((letter) => valued.includes(letter));
  return first !== -1 && first === letters.length - 1;
}

function startedByOther(name: string, args: readonly string[]): readonly Started[] {
  switch (name) {
    case "eval":
      return [{ type: "script", script: args.join(" "), via: "eval" }];
    case "trap":
      return args[0] === undefined ? [] : [{ type: "script", script: args[0], via: "trap" }];
    case "alias":
      return args.flatMap((word) =>
        word.includes("=")
          ? [{ type: "script" as const, script: word.slice(word.indexOf("=") + 1), via: "alias" }]
          : [],
      );
    case "hash":
      return args[0] === "-p" ? rest(args, 1, "hash -p") : [];
    case "mapfile":
    case "readarray":
    case "complete":
      return valuesOf(args, /^-C$/).map((script) => ({ type: "script", script, via: `${name} -C` }));
    case "git":
      return startedByGit(args);
    default:
      return startedByAction(name, args);
  }
}

function startedByGit(args: readonly string[]): readonly Started[] {
  const configured = valuesOf(args, /^-c$/).flatMap((setting) => {
    const value = setting.slice(setting.indexOf("=") + 1).replace(/^!/, "");
    return [{ type: "script" as const, script: value, via: "git -c" }];
  });
  const options = valuesOf(args, gitScripts).map((script) => ({ type: "script" as const, script, via: "git" }));
  const each = args.findIndex((word) => word === "foreach" || word === "run");
  const bisect = each > 0 && (args[each - 1] === "bisect" || args[each - 1] === "submodule");
  const looped: readonly Started[] = bisect
    ? [
        ...rest(args, each + 1, `git ${args[each - 1]} ${args[each]}`),
        { type: "script", script: args.slice(each + 1).join(" "), via: `git ${args[each - 1]} ${args[each]}` },
      ]
    : [];
  return [...configured, ...options, ...looped];
}

/** `find … -exec COMMAND ;`, `fd -x COMMAND`, `tar --to-command=…`, `rsync -e …`. */
function startedByAction(name: string, args: readonly string[]): readonly Started[] {
  const found: Started[] = [];
  args.forEach((word, index) => {
    const isAction = /^-(?:exec|execdir|ok|okdir)$/.test(word) || (/^fd(?:find)?$/.test(name) && fdActions.test(word));
    if (isAction) {
      const words = args.slice(index + 1);
      const end = words.findIndex((next) => next === ";" || next === "+");
      found.push(...rest(end === -1 ? words : words.slice(0, end), 0, `${name} ${word}`));
    }
    const script = scriptsInOptions.exec(word);
    if (script?.[1] !== undefined) found.push({ type: "script", script: script[1], via: name });
  });
  return name === "rsync" || name === "nc" || name === "ncat"
    ? [
        ...found,
        ...valuesOf(args, /^-[a-zA-Z]*[ec]$/).map((script) => ({ type: "script" as const, script, via: name })),
      ]
    : found;
}

const fdActions = /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/;
const scriptsInOptions =
  /^--(?:to-command|use-compress-program|compress-program|checkpoint-action=exec|rsh|pre|hostname-bin|exec|exec-batch|pager)=(.+)$/s;

/** The words after, or joined by `=` to, options of a form. */
function valuesOf(args: readonly string[], option: RegExp): readonly string[] {
  return args.flatMap((word, index) => {
    if (!option.test(word)) return [];
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const value = equals === -1 ? args[index + 1] : word.slice(equals + 1);
    return value === undefined ? [] : [value];
  });
}

/** The dynamic loader runs the program it is given. */
function isLoader(name: string): boolean {
  return /^ld(?:-[\w.-]*)?\.so(?:\.\d+)?$/.test(name);
}
