import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";

/** The fields of one table of a file; what is wrong is thrown with its place, in words for people. */
export class Fields {
  readonly #values: JsonObject;
  readonly #place: string;

  constructor(value: JsonValue | undefined, place: string) {
    if (!isJsonObject(value)) throw new Error(`${place}: a table is wanted`);
    this.#values = value;
    this.#place = place;
  }

  names(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** The first of these names that is there. */
  value(...names: readonly string[]): JsonValue | undefined {
    const found = names.find((name) => Object.hasOwn(this.#values, name));
    return found === undefined ? undefined : this.#values[found];
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.value(...names);
    if (value === undefined || typeof value === "string") return value;
    throw this.wrong(names[0] ?? "", "a text is wanted");
  }

  requiredText(...names: readonly string[]): string {
    const text = this.text(...names);
    if (text === undefined || text.trim() === "") throw this.wrong(names[0] ?? "", "it is missing");
    return text;
  }

  flag(name: string, byDefault: boolean): boolean {
    const value = this.value(name) ?? byDefault;
    if (typeof value === "boolean") return value;
    throw this.wrong(name, "true or false is wanted");
  }

  number(name: string, byDefault: number, most: number): number {
    const value = this.value(name) ?? byDefault;
    if (typeof value === "number" && value > 0 && value <= most) return value;
    throw this.wrong(name, `a number above 0, at most ${most}, is wanted`);
  }

  /** One text is a list of one. */
  texts(name: string): readonly string[] {
    const value = this.value(name) ?? [];
    const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    return list.map((item) => {
      if (typeof item === "string") return item;
      throw this.wrong(name, "texts are wanted");
    });
  }

  table(name: string): Fields {
    return new Fields(this.value(name) ?? {}, this.placeOf(name));
  }

  placeOf(name: string): string {
    return this.#place === "" ? name : `${this.#place}.${name}`;
  }

  wrong(name: string, problem: string): Error {
    return new Error(`${this.placeOf(name)}: ${problem}`);
  }

  /** @throws Error for a field that is none of these */
  allow(known: readonly string[]): void {
    const unknown = this.names().find((name) => !known.includes(name));
    if (unknown !== undefined) throw this.wrong(unknown, `there is no such field; there are ${known.join(", ")}`);
  }
}
