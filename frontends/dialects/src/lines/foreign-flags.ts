import { AppError } from "@capstan/protocol";

/** The flags of another agent's command line: `value` takes one, `repeated` one each time, `switch` none. */
export type ForeignFlags = Readonly<Record<string, "switch" | "value" | "repeated">>;

/** A command line as another agent would read it. */
export interface ForeignWords {
  readonly values: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  /** What belongs to no flag. */
  readonly words: readonly string[];
  /** Flags that are not known; they are left out. */
  readonly unknown: readonly string[];
}

/**
 * Reads `--flag=value` and `--flag value`. A flag that is not known takes a value only behind `=`.
 * @throws {AppError} `usage.invalid` for a flag without its value
 */
export function readForeignFlags(args: readonly string[], flags: ForeignFlags): ForeignWords {
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const switches = new Set<string>();
  const words: string[] = [];
  const unknown: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      words.push(...args.slice(index + 1));
      break;
    }
    if (!/^-{1,2}[A-Za-z]/.test(arg)) {
      words.push(arg);
      continue;
    }
    const [, name = arg, joined] = /^(--?[^=]+)=([^]*)$/.exec(arg) ?? [];
    const kind = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (kind === undefined) unknown.push(name);
    else if (kind === "switch") {
      if (joined !== "false") switches.add(name);
    } else {
      const value = joined ?? args[(index += 1)];
      if (value === undefined) throw new AppError("usage.invalid", `${name} needs a value`);
      if (kind === "value") values.set(name, value);
      else lists.set(name, [...(lists.get(name) ?? []), value]);
    }
  }
  return { values, lists, switches, words, unknown };
}

/** A field that is there where it has a value. */
export function named<Name extends string>(name: Name, value: string | undefined): { readonly [Key in Name]?: string };
export function named(name: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: value };
}
