import { type JsonObject, ToolRefusal } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";

/** A name of a commit or branch, as git takes it and as nothing else could be read. @throws ToolRefusal `tool.bad-arguments` */
export function revision(args: JsonObject, name: string): string | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  if (!/^[^-\s:\p{C}][^\s:\p{C}]*$/u.test(text))
    throw bad(
      `${name} must name a commit or branch, without blanks and ":" and not beginning with "-", not ${quoted(text)}.`,
    );
  return text;
}

export function textOf(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (typeof value !== "string" || value === "") return undefined;
  if (value.includes("\0")) throw bad(`${name} holds a NUL character.`);
  return value;
}

export function flag(args: JsonObject, name: string, usual = false): boolean {
  const value = args[name];
  return typeof value === "boolean" ? value : usual;
}

export function count(args: JsonObject, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" ? Math.floor(value) : undefined;
}

/** Paths as they are written, or an empty list. */
export function pathsOf(args: JsonObject, name = "paths"): readonly string[] {
  const value = args[name];
  const paths = Array.isArray(value) ? value.filter((path) => typeof path === "string") : [];
  if (paths.some((path) => path === "" || path.includes("\0"))) throw bad(`${name} holds an empty path.`);
  return paths;
}

/** An option with its value in one word, so that no value is taken for an option. */
export function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

export function when(condition: boolean, ...words: readonly string[]): readonly string[] {
  return condition ? words : [];
}

export function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}

function quoted(text: string): string {
  return JSON.stringify(inertText(text, 100));
}
