import { delimiter, isAbsolute } from "node:path";
import { nameMatcher } from "./matches-name.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What commands need to work, and nothing that is a secret. Of a terminal and of editors they learn nothing: nobody sits in front of them. */
const inherited: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "COLORTERM",
  "TMPDIR",
  "TEMP",
  "TMP",
  "PWD",
  "XDG_*",
  "NVM_DIR",
  "NODE_ENV",
  "JAVA_HOME",
  "GOPATH",
  "GOROOT",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "CI",
  "NO_COLOR",
  "FORCE_COLOR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "TRACEPARENT",
];

/** Names whose values are secrets. */
const secretNames: readonly string[] = [
  "*KEY",
  "*_KEY_*",
  "*TOKEN*",
  "*SECRET*",
  "*PASSWORD*",
  "*PASSWD*",
  "*PASSPHRASE*",
  "*CREDENTIAL*",
  "*_AUTH",
  "*COOKIE*",
  "*_PWD",
  "*_PAT",
  "*_DSN",
];

/** Names that commands do not see: secrets, and what goes with them. They win over everything inherited. */
const withheldNames: readonly string[] = [
  ...secretNames,
  "NODE_OPTIONS",
  "AWS_*",
  "ANTHROPIC_*",
  "OPENAI_*",
  "GEMINI_*",
  "GOOGLE_*",
  "AZURE_*",
];

/**
 * The environment of commands: an allow-list, less what looks like a secret.
 * @param allow  more names or globs to hand on; a name given literally is handed on even if it looks like a secret
 * @param deny  names or globs never handed on
 */
export function cleanEnvironment(
  env: Environment,
  allow: readonly string[],
  deny: readonly string[],
): Readonly<Record<string, string>> {
  const isHandedOn = nameMatcher([...inherited, ...allow]);
  const isWithheld = nameMatcher(withheldNames);
  const isDenied = nameMatcher(deny);
  const literal = new Set(allow);
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      isHandedOn(entry[0]) &&
      !isDenied(entry[0]) &&
      (!isWithheld(entry[0]) || literal.has(entry[0])),
  );
  const named = Object.fromEntries(kept);
  return named["PATH"] === undefined ? named : { ...named, PATH: absoluteEntries(named["PATH"]) };
}

/** A search path without relative entries: they would let the directory a command runs in decide which program a name means. */
function absoluteEntries(path: string): string {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .join(delimiter);
}

/** Values of variables that look like secrets: they are taken out of everything that is journaled or shown. */
export function secretValues(env: Environment): readonly string[] {
  const isSecret = nameMatcher(secretNames);
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return isSecret(name) && !isPlace(value) ? [value, ...passwordIn(value)] : passwordIn(value);
  });
}

/** `https://user:password@host`: the password of an address, by whatever name, as it is written and as it is meant. */
function passwordIn(value: string): readonly string[] {
  const password = /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/.exec(value)?.[1];
  if (password === undefined) return [];
  return [...new Set([password, decoded(password)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `SSH_KEY=/home/me/key` names a file: the path is no secret, and it would be taken out of every listing. */
function isPlace(value: string): boolean {
  return /^[.~]?\//.test(value);
}
