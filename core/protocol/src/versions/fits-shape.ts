import { isJsonObject, type JsonObject } from "../json.ts";
import { recordShapes } from "./record-shapes.ts";

/**
 * What a value must be. A text is a kind (`string`, `number`, `boolean`, `null`, `true`, `object`, `any`), a literal (`=done`) or the
 * name of another shape (`@Origin`). A list is one of several (`["|", …]`) or an array (`["[]", SHAPE]`). An object has fields; those
 * whose name ends with `?` may be missing. Fields that are not named may be there: a later Capstan may know more.
 */
type Shape = string | readonly Shape[] | { readonly [field: string]: Shape };
type Fits = (value: unknown) => boolean;

/** Whether a record of a known type, in today's version, has all that whoever reads it relies on. */
export function fitsRecord(record: JsonObject): boolean {
  return named("JournalRecord")(record);
}

const texts: ReadonlyMap<string, string> = new Map(Object.entries(recordShapes));
const compiled = new Map<string, Fits>();

/** Compiled when it is first asked for: most processes meet few kinds of records. */
function named(name: string): Fits {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const fits = compile(shapeOf(name));
  compiled.set(name, fits);
  return fits;
}

function shapeOf(name: string): Shape {
  const shape: Shape = JSON.parse(texts.get(name) ?? '"any"');
  return shape;
}

function compile(shape: Shape): Fits {
  if (typeof shape === "string") return compileWord(shape);
  if (!isList(shape)) return compileFields(shape);
  const [kind, ...of] = shape;
  if (kind === "|") return compileOptions(of);
  const fits = compile(of[0] ?? "any");
  return (value) => Array.isArray(value) && value.every((element) => fits(element));
}

function compileWord(word: string): Fits {
  if (word.startsWith("=")) return (value) => value === word.slice(1);
  if (word.startsWith("@")) return (value) => named(word.slice(1))(value);
  switch (word) {
    case "any":
      return () => true;
    case "null":
      return (value) => value === null;
    case "true":
      return (value) => value === true;
    case "object":
      return isJsonObject;
    // JSON writes NaN and infinity as null.
    case "number":
      return (value) => typeof value === "number" || value === null;
    default:
      return (value) => typeof value === word;
  }
}

function compileFields(shape: { readonly [field: string]: Shape }): Fits {
  const fields = Object.entries(shape).map(([name, of]) => {
    const isOptional = name.endsWith("?");
    return { name: isOptional ? name.slice(0, -1) : name, isOptional, fits: compile(of) };
  });
  return (value) =>
    isJsonObject(value) &&
    fields.every(({ name, isOptional, fits }) => {
      const found = Object.hasOwn(value, name) ? value[name] : undefined;
      return found === undefined ? isOptional : fits(found);
    });
}

/** Objects that their `type` tells apart are compared with one option only. */
function compileOptions(options: readonly Shape[]): Fits {
  const plain: Fits[] = [];
  const tagged = new Map<string, Fits>();
  for (const option of options.flatMap(spelledOut)) {
    const tag = typeof option === "object" && !isList(option) ? option["type"] : undefined;
    if (typeof tag === "string" && tag.startsWith("=")) tagged.set(tag.slice(1), compiledLater(option));
    else plain.push(compile(option));
  }
  return (value) => {
    const tag = isJsonObject(value) ? value["type"] : undefined;
    const own = typeof tag === "string" ? tagged.get(tag) : undefined;
    return own?.(value) === true || plain.some((fits) => fits(value));
  };
}

/** Of many records that there are, a process meets few. */
function compiledLater(shape: Shape): Fits {
  let fits: Fits | undefined;
  return (value) => {
    fits ??= compile(shape);
    return fits(value);
  };
}

/** The options themselves, where one is the name of more. */
function spelledOut(option: Shape): readonly Shape[] {
  if (typeof option !== "string" || !option.startsWith("@")) return [option];
  const shape = shapeOf(option.slice(1));
  return isList(shape) && shape[0] === "|" ? shape.slice(1).flatMap(spelledOut) : [shape];
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}
