import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { tomlText } from "../docs/toml-text.ts";
import { type TomlStatement, tomlStatements } from "../files/toml-statements.ts";
import { type ConfigSegments, pathText } from "../keys/config-path.ts";
import { cutStatements, parsedForEdit, provedEdit } from "./edit-tables.ts";

/**
 * The text with one value set: where it stands already, and else behind the last line of its table. Comments stay.
 * @throws AppError `config.syntax`, and `config.invalid` when the file is written so that the value cannot be put in
 */
export async function withValue(file: string, text: string, at: ConfigSegments, value: JsonValue): Promise<string> {
  const before = await parsedForEdit(file, text);
  const after = withAt(before, at, value);
  return await provedEdit(file, inInlineTable(text, at, after) ?? placed(text, at, value), after, at.length);
}

/**
 * The text without one value; the header of its table stays.
 * @returns `undefined` when the file does not set it
 */
export async function withoutValue(file: string, text: string, at: ConfigSegments): Promise<string | undefined> {
  const before = await parsedForEdit(file, text);
  if (valueAt(before, at) === undefined) return undefined;
  const after = withoutAt(before, at);
  const changed = inInlineTable(text, at, after) ?? cutStatements(text, (statement) => isIn(statement, at));
  return await provedEdit(file, changed, after, at.length);
}

/** A table that stands on one line is written again; `undefined`: the value is in none. */
function inInlineTable(text: string, at: ConfigSegments, after: Values): string | undefined {
  const around = [...tomlStatements(text)].find(
    (statement) => statement.value !== undefined && isAbove(pathOf(statement), at),
  );
  const table = around === undefined ? undefined : valueAt(after, pathOf(around));
  return around === undefined || !isJsonObject(table) ? undefined : replaced(text, around, tomlText(table));
}

function placed(text: string, at: ConfigSegments, value: JsonValue): string {
  const statements = [...tomlStatements(text)];
  const own = statements.find((statement) => statement.value !== undefined && isSame(pathOf(statement), at));
  if (own !== undefined) return replaced(text, own, tomlText(value));
  if (statements.some((statement) => isSame(pathOf(statement), at) || isAbove(at, pathOf(statement))))
    return placed(
      cutStatements(text, (statement) => isIn(statement, at)),
      at,
      value,
    );
  return isJsonObject(value) && Object.keys(value).length > 0
    ? withTableLines(text, at, Object.entries(value))
    : insertedLine(text, statements, at, value);
}

function replaced(text: string, { value }: TomlStatement, written: string): string {
  return value === undefined ? text : text.slice(0, value.start) + written + text.slice(value.end);
}

/** Behind what stands in the same table; where there is no such table yet, with a header at the end. */
function insertedLine(
  text: string,
  statements: readonly TomlStatement[],
  at: ConfigSegments,
  value: JsonValue,
): string {
  const parent = at.slice(0, -1);
  const last = statements.findLast((statement) =>
    statement.value === undefined
      ? isSame(pathOf(statement), parent)
      : isSame(pathOf(statement).slice(0, parent.length), parent) && statement.table.length <= parent.length,
  );
  if (last === undefined) return withTableLines(text, parent, [[at.at(-1) ?? "", value]]);
  const under = last.value === undefined ? parent : last.table;
  const before = endOfLine(text.slice(0, last.end));
  return `${before}${pathText(at.slice(under.length))} = ${tomlText(value)}\n${text.slice(last.end)}`;
}

function withTableLines(text: string, at: ConfigSegments, entries: readonly (readonly [string, JsonValue])[]): string {
  const lines = entries.map(([name, value]) => `${pathText([name])} = ${tomlText(value)}`);
  const start = endOfLine(text);
  return `${start}${start === "" ? "" : "\n"}${[`[${pathText(at)}]`, ...lines].join("\n")}\n`;
}

function endOfLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function pathOf({ table, names }: TomlStatement): ConfigSegments {
  return [...table, ...names];
}

function isIn(statement: TomlStatement, at: ConfigSegments): boolean {
  const path = pathOf(statement);
  return isSame(path, at) || isAbove(at, path);
}

function isSame(one: ConfigSegments, other: ConfigSegments): boolean {
  return one.length === other.length && one.every((segment, at) => segment === other[at]);
}

/** Whether the second path leads into the first. */
function isAbove(one: ConfigSegments, other: ConfigSegments): boolean {
  return one.length < other.length && one.every((segment, at) => segment === other[at]);
}

type Values = Readonly<Record<string, unknown>>;

function valueAt(values: Values, [name = "", ...rest]: ConfigSegments): unknown {
  const below = Object.hasOwn(values, name) ? values[name] : undefined;
  if (rest.length === 0) return below;
  return isJsonObject(below) ? valueAt(below, rest) : undefined;
}

function withAt(values: Values, [name = "", ...rest]: ConfigSegments, value: JsonValue): Values {
  const below = Object.hasOwn(values, name) ? values[name] : undefined;
  return { ...values, [name]: rest.length === 0 ? value : withAt(isJsonObject(below) ? below : {}, rest, value) };
}

function withoutAt(values: Values, [name = "", ...rest]: ConfigSegments): Values {
  const { [name]: below, ...others } = values;
  return rest.length === 0 || !isJsonObject(below) ? others : { ...others, [name]: withoutAt(below, rest) };
}
