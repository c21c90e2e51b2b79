import { isDeepStrictEqual } from "node:util";
import { AppError, isJsonObject, type JsonObject } from "@capstan/protocol";
import { tomlText } from "../docs/toml-text.ts";
import { parseToml } from "../files/read-document.ts";
import { type TomlStatement, tomlStatements } from "../files/toml-statements.ts";
import { quotePath } from "../quote.ts";

/** A table of tables by name, as `[mcp_servers.NAME]`. */
export interface NamedTable {
  readonly group: string;
  readonly name: string;
}

/**
 * The text with one table more, behind everything that is there.
 * @throws AppError `config.invalid` when the file has the table, or is written so that it cannot get it
 */
export async function withTable(file: string, text: string, at: NamedTable, values: JsonObject): Promise<string> {
  const before = await parsedForEdit(file, text);
  if (tableOf(before, at) !== undefined)
    throw new AppError("config.invalid", `${quotePath(file)} has ${headerOf(at)} already`, {
      hint: `Change it there, or remove it first: capstan mcp remove ${at.name}`,
    });
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${tomlText(value)}`);
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const changed = `${start}${start === "" ? "" : "\n"}${[headerOf(at), ...lines].join("\n")}\n`;
  const after = { ...groupOf(before, at.group), [at.name]: values };
  return await provedEdit(file, changed, { ...before, [at.group]: after });
}

/**
 * The text without one table; every line that is no part of it stays as it is.
 * @returns `undefined` when the file has no such table
 * @throws AppError `config.invalid` when the file is written so that the table cannot be cut out
 */
export async function withoutTable(file: string, text: string, at: NamedTable): Promise<string | undefined> {
  const before = await parsedForEdit(file, text);
  if (tableOf(before, at) === undefined) return undefined;
  const { [at.name]: _gone, ...rest } = groupOf(before, at.group);
  const changed = cutStatements(text, (statement) => isPartOf(statement, at));
  const { [at.group]: _group, ...others } = before;
  return await provedEdit(file, changed, Object.keys(rest).length === 0 ? others : { ...others, [at.group]: rest });
}

/** Runs of lines that belong together go with the comments between them, and one of the blank lines around. */
export function cutStatements(text: string, isGone: (statement: TomlStatement) => boolean): string {
  let kept = "";
  let keptUntil = 0;
  let gone: { readonly start: number; readonly end: number } | undefined;
  const drop = (): void => {
    if (gone === undefined) return;
    kept += text.slice(keptUntil, gone.start);
    keptUntil = gone.end;
    const isAlone = kept === "" || /\n\r?\n$/.test(kept);
    if (isAlone) keptUntil += /^(?:[ \t]*\r?\n)?/.exec(text.slice(keptUntil))?.[0].length ?? 0;
    gone = undefined;
  };
  for (const statement of tomlStatements(text)) {
    if (!isGone(statement)) drop();
    else gone = { start: gone?.start ?? statement.start, end: statement.end };
  }
  drop();
  return (kept + text.slice(keptUntil)).replace(/\n(?:\r?\n)+$/, "\n");
}

function isPartOf({ table, names }: TomlStatement, { group, name }: NamedTable): boolean {
  const [first, second] = [...table, ...names];
  return first === group && second === name;
}

/**
 * What was made of the text must mean exactly what was to be made of it.
 * @param levels  so many levels of tables mean the same empty as not there
 */
export async function provedEdit(
  file: string,
  text: string,
  wanted: Readonly<Record<string, unknown>>,
  levels = 1,
): Promise<string> {
  const read = await parseToml(text);
  const isMeant =
    read.type === "parsed" &&
    isDeepStrictEqual(plain(withoutEmpty(read.values, levels)), plain(withoutEmpty(wanted, levels)));
  if (isMeant) return text;
  throw new AppError("config.invalid", `${quotePath(file)} is written in a way that cannot be changed safely`, {
    hint: "It was not touched. Change it by hand.",
  });
}

function withoutEmpty(values: Readonly<Record<string, unknown>>, levels: number): Readonly<Record<string, unknown>> {
  const kept = Object.entries(values).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (levels === 0 || !isJsonObject(value) || value instanceof Date) return [[name, value]];
    const inner = withoutEmpty(value, levels - 1);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(kept);
}

/** Without the parser's own prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? `${item}n` : item)));
}

/** @throws AppError `config.syntax` */
export async function parsedForEdit(file: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  const read = await parseToml(text);
  if (read.type === "parsed") return read.values;
  throw new AppError("config.syntax", `${quotePath(file)}:${read.line}:${read.column}: ${read.reason}`, {
    hint: "Correct the line first.",
  });
}

function tableOf(values: Readonly<Record<string, unknown>>, { group, name }: NamedTable): unknown {
  const tables = groupOf(values, group);
  return Object.hasOwn(tables, name) ? tables[name] : undefined;
}

function groupOf(values: Readonly<Record<string, unknown>>, group: string): Readonly<Record<string, unknown>> {
  const tables = Object.hasOwn(values, group) ? values[group] : undefined;
  return isJsonObject(tables) ? tables : {};
}

function headerOf({ group, name }: NamedTable): string {
  return `[${group}.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`;
}
