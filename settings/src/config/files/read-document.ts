import { AppError, type ErrorCode, isJsonObject } from "@capstan/protocol";
import { maxValueDepth } from "../config-limits.ts";
import { quotePath } from "../quote.ts";
import { type KeyLines, keyLines } from "./key-lines.ts";

/** A parsed configuration file. */
export interface ConfigDocument {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly lines: KeyLines;
}

/** @throws AppError `config.syntax`, with file, line and column */
export async function readDocument(file: string, text: string): Promise<ConfigDocument> {
  const parsed = await parseToml(text);
  if (parsed.type === "parsed") return { file, values: parsed.values, lines: keyLines(text) };
  const place = `${quotePath(file)}:${parsed.line}:${parsed.column}`;
  const code: ErrorCode = "config.syntax";
  throw new AppError(code, `${place}: ${parsed.reason}`, {
    hint: "Correct the line, or start with `--safe-mode`, which reads no configuration file.",
  });
}

export type ParsedToml =
  | { readonly type: "parsed"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly type: "failed"; readonly line: number; readonly column: number; readonly reason: string };

/**
 * Parses TOML. The parser is loaded on first use: most starts have no configuration file. Its error quotes the lines
 * around the fault, keys and all, so only place and reason leave this function.
 */
export async function parseToml(text: string): Promise<ParsedToml> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    const values: unknown = parse(text, { maxDepth: maxValueDepth, unsafeKeyBehaviour: "keep" });
    return { type: "parsed", values: isJsonObject(values) ? values : {} };
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) return { type: "failed", line: 1, column: 1, reason: "cannot be parsed" };
    const [summary = ""] = thrown.message.split("\n");
    const reason = summary.replace(/^Invalid TOML document: /, "not valid TOML: ");
    return { type: "failed", line: thrown.line, column: thrown.column, reason };
  }
}
