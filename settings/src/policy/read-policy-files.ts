import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { AppError, type RuleSource } from "@capstan/protocol";
import type { ConfigOrigin } from "../config/config-origin.ts";
import { describeOrigin } from "../config/config-origin.ts";
import { type ConfigProblem, problemError } from "../config/config-problem.ts";
import { readManagedFile, readUserFile } from "../config/files/read-config-file.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { quoteName, quotePath } from "../config/quote.ts";
import { maxPolicyFiles } from "../config/config-limits.ts";
import { didYouMean } from "../config/nearest-name.ts";
import { type PolicyFile, type ReadPolicyFile, type ReadPolicyText, readTomlPolicy } from "./policy-file.ts";

export interface PolicyFilesPlace {
  /** Relative names in flags and variables are taken from here. */
  readonly cwd: string;
  /** User id that must own what the managed layer names. */
  readonly managedOwner: number;
  readonly readYaml: ReadPolicyText;
}

/**
 * Reads every policy file the configuration names, each with the authority of the layer that named it.
 * @throws AppError `config.unreadable`, `config.syntax`, `config.invalid`
 */
export async function readPolicyFiles(loaded: LoadedConfig, place: PolicyFilesPlace): Promise<readonly PolicyFile[]> {
  const layers = loaded.keys.get("permissions.policy_files")?.layers ?? [];
  const wanted: Wanted[] = layers.flatMap(({ value, origin }) =>
    Array.isArray(value) ? value.filter((name) => typeof name === "string").map((name) => ({ name, origin })) : [],
  );
  const seen = new Set<string>();
  const files: PolicyFile[] = [];
  const problems: ConfigProblem[] = [];
  for (const { name, origin } of wanted) {
    const file = await fileOf(name, origin, place.cwd);
    // Named twice it counts once, with the authority of whoever named it first.
    if (seen.has(file)) continue;
    seen.add(file);
    if (seen.size > maxPolicyFiles) throw tooMany(file);
    const read = await readNamed(file, origin, place);
    if (read.type === "read") {
      files.push(read.policy);
      wanted.push(...includedBy(read.policy, origin));
    } else problems.push(...read.problems);
  }
  if (problems.length > 0) throw problemError(problems);
  return files;
}

/** A policy file, and who wants it: what a file includes has the file's own authority. */
interface Wanted {
  readonly name: string;
  readonly origin: ConfigOrigin;
}

function includedBy({ includes = [], file }: PolicyFile, origin: ConfigOrigin): readonly Wanted[] {
  const { line: _line, ...by } = origin;
  return includes.map((name) => ({ name, origin: { ...by, file } }));
}

function tooMany(file: string): AppError {
  return new AppError(
    "config.invalid",
    `${quotePath(file)}: more than ${maxPolicyFiles} policy files are named or included`,
    {
      hint: "Put rules together, or leave an include out.",
    },
  );
}

/** Reads one policy file that a user names on the command line. @throws AppError `config.*` */
export async function readPolicyFile(
  name: string,
  { cwd, readYaml }: Pick<PolicyFilesPlace, "cwd" | "readYaml">,
  source: RuleSource = "user",
): Promise<PolicyFile> {
  const wanted: Wanted[] = [{ name, origin: { layer: "flag", flag: "FILE" } }];
  const files = new Map<string, PolicyFile>();
  for (const { name: each, origin } of wanted) {
    const file = await fileOf(each, origin, cwd);
    if (files.has(file)) continue;
    if (files.size >= maxPolicyFiles) throw tooMany(file);
    const read = await parse(file, isShipped(file) ? undefined : userText(file), source, readYaml);
    if (read.type === "wrong") throw problemError(read.problems);
    files.set(file, read.policy);
    wanted.push(...includedBy(read.policy, origin));
  }
  return together([...files.values()]);
}

/** A file with what it includes, as one: the order of rules makes no difference. */
function together(files: readonly PolicyFile[]): PolicyFile {
  const [first] = files;
  if (first === undefined) throw new Error("no policy file was read");
  return {
    ...first,
    rules: files.flatMap(({ rules }) => rules),
    warnings: files.flatMap(({ warnings }) => warnings),
  };
}

function userText(file: string, by?: string): string {
  const found = readUserFile(file);
  if (found.type === "text") return found.text;
  throw unreadable(file, found.type === "refused" ? found.reason : "no such file", by);
}

async function fileOf(name: string, origin: ConfigOrigin, cwd: string): Promise<string> {
  const { shippedPolicies } = await import("./shipped/shipped-policies.ts");
  if (shippedPolicies.has(name)) return shippedMark + name;
  if (/^[\w-]+$/.test(name)) {
    const known = [...shippedPolicies.keys()];
    throw new AppError(
      "config.invalid",
      `${describeOrigin(origin)}: permissions.policy_files: no policy ${quoteName(name)} comes with Capstan${didYouMean(name, known)}`,
      { hint: `Write one of ${known.join(", ")}, or the path of a .toml or .yaml file.` },
    );
  }
  if (name.startsWith("~/")) return join(homedir(), name.slice(2));
  return isAbsolute(name) ? name : resolve(origin.file === undefined ? cwd : dirname(origin.file), name);
}

async function readNamed(file: string, origin: ConfigOrigin, place: PolicyFilesPlace): Promise<ReadPolicyFile> {
  const source = sourceOf(origin);
  const { readYaml } = place;
  if (isShipped(file)) return parse(file, undefined, source, readYaml);
  if (source !== "managed") return parse(file, userText(file, describeOrigin(origin)), source, readYaml);
  const read = readManagedFile(file, place.managedOwner);
  if (read.type === "text") return parse(file, read.text, source, readYaml);
  if (read.type === "absent") throw unreadable(file, "no such file", describeOrigin(origin));
  // One that may be forged says nothing.
  const warning = `MANAGED POLICY IGNORED: ${quotePath(file)}: ${read.reason}. What it forbids does not hold.`;
  return { type: "read", policy: { file, source, rules: [], warnings: [warning] } };
}

async function parse(
  file: string,
  text: string | undefined,
  source: RuleSource,
  readYaml: ReadPolicyText,
): Promise<ReadPolicyFile> {
  if (isShipped(file)) {
    const { shippedPolicies } = await import("./shipped/shipped-policies.ts");
    return readTomlPolicy(file, (shippedPolicies.get(file.slice(shippedMark.length)) ?? "").trimStart(), source);
  }
  if (/\.ya?ml$/.test(file)) return await readYaml(file, text ?? "", source);
  return readTomlPolicy(file, text ?? "", source);
}

/** Begins the name of a policy that comes with Capstan; no path has it. */
const shippedMark = "policy ";

function isShipped(file: string): boolean {
  return file.startsWith(shippedMark);
}

function sourceOf({ layer }: ConfigOrigin): RuleSource {
  return layer === "default" ? "built-in" : layer;
}

function unreadable(file: string, reason: string, by?: string): AppError {
  const who = by === undefined ? "" : ` (named by ${by})`;
  return new AppError("config.unreadable", `${quotePath(file)}: ${reason}${who}`, {
    hint: "Name a file that is there and yours.",
  });
}
