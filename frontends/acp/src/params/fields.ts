import { isAbsolute } from "node:path";
import { isJsonObject } from "@capstan/protocol";
import type { RpcId } from "../peer/rpc-message.ts";
import { invalidParams } from "../peer/rpc-error.ts";

/** An object of a request, whose fields are read by name; what does not fit is an error that names the field. */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #place: string;

  /** @throws RpcError where the value is no object */
  constructor(value: unknown, place: string = "params") {
    if (!isJsonObject(value)) throw invalidParams(`${place}: an object is expected`);
    this.#value = value;
    this.#place = place;
  }

  text(name: string): string {
    const value = this.#value[name];
    if (typeof value !== "string") throw invalidParams(`${this.#place}.${name}: a text is expected`);
    return value.toWellFormed();
  }

  optionalText(name: string): string | undefined {
    return this.#isAbsent(name) ? undefined : this.text(name);
  }

  /** A path that begins with `/`. */
  path(name: string): string {
    const path = this.text(name);
    if (!isAbsolute(path) || path.includes("\0"))
      throw invalidParams(`${this.#place}.${name}: an absolute path is expected`);
    return path;
  }

  optionalPath(name: string): string | undefined {
    return this.#isAbsent(name) ? undefined : this.path(name);
  }

  integer(name: string): number {
    const value = this.#value[name];
    if (typeof value !== "number" || !Number.isInteger(value))
      throw invalidParams(`${this.#place}.${name}: a whole number is expected`);
    return value;
  }

  /** The id of a request. */
  idOf(name: string): RpcId {
    const value = this.#value[name];
    return typeof value === "string" || typeof value === "number" ? value : null;
  }

  /** What is not there is not true. */
  flag(name: string): boolean {
    return this.#value[name] === true;
  }

  object(name: string): Fields {
    return new Fields(this.#value[name], `${this.#place}.${name}`);
  }

  /** `undefined`: it is not there. */
  optionalObject(name: string): Fields | undefined {
    return this.#isAbsent(name) ? undefined : this.object(name);
  }

  /** The objects of a list. */
  objects(name: string, limit: number): readonly Fields[] {
    return this.#list(name, limit).map((item, at) => new Fields(item, `${this.#place}.${name}[${at}]`));
  }

  texts(name: string, limit: number): readonly string[] {
    return this.#list(name, limit).map((item, at) => {
      if (typeof item === "string") return item.toWellFormed();
      throw invalidParams(`${this.#place}.${name}[${at}]: a text is expected`);
    });
  }

  optional<Value>(name: string, read: () => Value, absent: Value): Value {
    return this.#isAbsent(name) ? absent : read();
  }

  /** An error about this object. */
  wrong(problem: string): Error {
    return invalidParams(`${this.#place}: ${problem}`);
  }

  #list(name: string, limit: number): readonly unknown[] {
    const value = this.#value[name];
    if (!Array.isArray(value)) throw invalidParams(`${this.#place}.${name}: a list is expected`);
    if (value.length > limit) throw invalidParams(`${this.#place}.${name}: at most ${limit} entries are taken`);
    return value;
  }

  #isAbsent(name: string): boolean {
    return this.#value[name] === undefined || this.#value[name] === null;
  }
}
