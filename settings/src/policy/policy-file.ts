import { type ApprovalMode, isJsonObject, type Rule, type RuleSource } from "@capstan/protocol";
import type { ConfigProblem } from "../config/config-problem.ts";
import { readDocument, type ConfigDocument } from "../config/files/read-document.ts";
import { didYouMean } from "../config/nearest-name.ts";
import { quoteName, quotePath } from "../config/quote.ts";
import { maxIncludes, maxListEntries } from "../config/config-limits.ts";
import { noteRulePlace } from "./rule-place.ts";
import { isRuleTable, readRuleTable, rulesOfTable } from "./rule-table.ts";

/** A policy file as it counts: rules, and what it says where no rule does. */
export interface PolicyFile {
  /** As people see it: a path, or `policy default` for one that comes with Capstan. */
  readonly file: string;
  readonly source: RuleSource;
  readonly rules: readonly Rule[];
  readonly approval?: ApprovalMode;
  readonly timeoutSeconds?: number;
  /** Other policy files that count with it, as they are named in it. */
  readonly includes?: readonly string[];
  readonly warnings: readonly string[];
}

/** A policy file, or everything that must be corrected in it. */
export type ReadPolicyFile =
  | { readonly type: "read"; readonly policy: PolicyFile }
  | { readonly type: "wrong"; readonly problems: readonly ConfigProblem[] };

/** Reads the text of a policy file. */
export type ReadPolicyText = (file: string, text: string, source: RuleSource) => Promise<ReadPolicyFile>;

const fields = ["name", "description", "include", "approval", "approval_timeout_seconds", "rules"] as const;
const approvals: readonly ApprovalMode[] = ["permissive", "default", "strict"];

/** Reads a policy file in TOML. @throws AppError `config.syntax` */
export async function readTomlPolicy(file: string, text: string, source: RuleSource): Promise<ReadPolicyFile> {
  return new TomlPolicy(await readDocument(file, text), source).read();
}

/** The seconds of a field such as `approval_timeout_seconds`, when they are some. */
export function isTimeout(value: unknown): value is number {
  return typeof value === "number" && value >= 1 && value <= 31_536_000;
}

class TomlPolicy {
  readonly #document: ConfigDocument;
  readonly #source: RuleSource;
  readonly #problems: ConfigProblem[] = [];

  constructor(document: ConfigDocument, source: RuleSource) {
    this.#document = document;
    this.#source = source;
  }

  read(): ReadPolicyFile {
    const { values, file } = this.#document;
    for (const name of Object.keys(values)) {
      if (!fields.some((field) => field === name))
        this.#wrong([name], `unknown field ${quoteName(name)}${didYouMean(name, fields)}`);
    }
    for (const name of ["name", "description"]) this.#checkText(name, values[name]);
    const { approval, approval_timeout_seconds: timeoutSeconds } = values;
    const includes = this.#includes(values["include"]);
    const rules = this.#rules(values["rules"]);
    const mode = approvals.find((known) => known === approval);
    if (approval !== undefined && mode === undefined)
      this.#wrong(["approval"], `approval: expected one of ${approvals.join(", ")}`);
    if (timeoutSeconds !== undefined && !isTimeout(timeoutSeconds))
      this.#wrong(["approval_timeout_seconds"], "approval_timeout_seconds: expected a number from 1 to 31536000");
    if (this.#problems.length > 0) return { type: "wrong", problems: this.#problems };
    const policy: PolicyFile = {
      file,
      source: this.#source,
      rules,
      warnings: [],
      ...(includes.length === 0 ? {} : { includes }),
      ...(mode === undefined ? {} : { approval: mode }),
      ...(isTimeout(timeoutSeconds) ? { timeoutSeconds } : {}),
    };
    return { type: "read", policy };
  }

  #includes(value: unknown): readonly string[] {
    if (value === undefined) return [];
    const names = Array.isArray(value) ? value : [value];
    if (names.length <= maxIncludes && names.every((name) => typeof name === "string" && name !== "")) return names;
    this.#wrong(["include"], `include: expected the name of a policy file, or a list of at most ${maxIncludes}`);
    return [];
  }

  #checkText(name: string, value: unknown): void {
    if (value !== undefined && typeof value !== "string") this.#wrong([name], `${name}: expected a string`);
  }

  #rules(value: unknown): readonly Rule[] {
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length > maxListEntries) {
      this.#wrong(["rules"], `rules: expected tables [[rules]], at most ${maxListEntries}`);
      return [];
    }
    return value.flatMap((entry, index) => this.#rule(entry, index));
  }

  #rule(entry: unknown, index: number): readonly Rule[] {
    const read = readRuleTable(isJsonObject(entry) ? { ...entry } : entry);
    const at = ["rules", String(index)];
    if (read.type === "wrong") {
      this.#wrong([...at, ...read.at], `rule ${index + 1}: ${read.problem}`);
      return [];
    }
    const place = this.#place(at);
    return isRuleTable(read.table)
      ? rulesOfTable(read.table, this.#source).map((rule) => noteRulePlace(rule, place))
      : [];
  }

  #wrong(at: readonly string[], text: string): void {
    this.#problems.push({ code: "config.invalid", text: `${this.#place(at)}: ${text}` });
  }

  #place(at: readonly string[]): string {
    const line = this.#document.lines.lineOf(at);
    return `${quotePath(this.#document.file)}${line === undefined ? "" : `:${line}`}`;
  }
}
