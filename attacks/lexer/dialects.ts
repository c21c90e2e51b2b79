import { existsSync } from "node:fs";
import { join } from "node:path";

/** One shell as the fuzzer drives it. Names are recorded by functions where the shell lets them be, else by a program. */
export interface Dialect {
  readonly name: string;
  /** Absolute path of the shell; `undefined`: it is not installed. */
  readonly file: string | undefined;
  readonly options: readonly string[];
  /** Whether a function of that name is what a script would call. */
  readonly isFunction: (name: string) => boolean;
  /** Names that run something of the shell itself whatever is put in front, or that the driver needs. */
  readonly isKept: (name: string) => boolean;
  /** Defines the function that notes one command; `$__S` holds the exit codes to come. */
  readonly recorder: string;
  readonly defineFunction: (quotedName: string) => string;
  readonly evaluate: string;
  readonly mark: string;
}

// Without `return`, which a script's own `return` might have replaced by then. `z` and `o`: always 0, always 1.
const byKeywords = `case $__S in 0*) __S=\${__S#?}; [[ x ]];; 1*) __S=\${__S#?}; [[ ! x ]];; z) [[ x ]];; *) [[ ! x ]];; esac`;
const byReturn = `case $__S in 0*) __S=\${__S#?}; return 0;; 1*) __S=\${__S#?}; return 1;; z) return 0;; esac; return 1`;

const builtinFirst = {
  recorder: `__r() { builtin printf '%s\\001' "$@" "$__E" >&9; ${byKeywords}; }`,
  evaluate: "builtin eval",
  mark: "builtin printf '\\003' >&9",
  isKept: (name: string) => name === "builtin" || name.startsWith("__"),
};

const specialBuiltins: ReadonlySet<string> = new Set(
  "break : continue . eval exec exit export readonly return set shift times trap unset source command printf [".split(
    " ",
  ),
);

const posix = {
  recorder: `__r() { printf '%s\\001' "$@" "$__E" >&9; ${byReturn}; }`,
  evaluate: "command eval",
  mark: "printf '\\003' >&9",
  isKept: (name: string) => specialBuiltins.has(name) || name.startsWith("__"),
  isFunction: (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  defineFunction: (name: string) => `${name.slice(1, -1)}() { __r ${name} "$@"; }`,
};

/** The shells that a script may be handed to, found on this machine or not. */
export function allDialects(): readonly Dialect[] {
  return [
    {
      ...builtinFirst,
      name: "bash",
      file: findShell("bash"),
      options: ["--norc"],
      isFunction: (name) => /^(?:[A-Za-z0-9_@%+:,./-]+|\[)$/.test(name),
      defineFunction: (name) => `function ${name.slice(1, -1)} { __r ${name} "$@"; }`,
    },
    { ...posix, name: "bash --posix", file: findShell("bash"), options: ["--posix", "--norc"] },
    { ...posix, name: "dash", file: findShell("dash"), options: [] },
    {
      ...builtinFirst,
      name: "zsh",
      file: findShell("zsh"),
      options: ["-f"],
      isFunction: () => true,
      defineFunction: (name) => `function ${name} { __r ${name} "$@"; }`,
    },
  ];
}

function findShell(name: string): string | undefined {
  const folders = ["/bin", "/usr/bin", "/usr/local/bin", ...(process.env["PATH"] ?? "").split(":")];
  return folders.map((folder) => join(folder, name)).find((path) => path.startsWith("/") && existsSync(path));
}
