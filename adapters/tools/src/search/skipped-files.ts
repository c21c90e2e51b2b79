import { inertText } from "../paths/inert-text.ts";
import { maxNamedSkips, maxSearchFileBytes } from "./limits.ts";

type Reason = "too-large" | "unreadable" | "binary";

/** Files that a search had chosen and could not search: how many, and the first ones by name. */
export class SkippedFiles {
  readonly #counts = new Map<Reason, number>();
  readonly #names = new Map<Reason, string[]>();
  readonly #limitBytes: number;

  constructor(limitBytes: number = maxSearchFileBytes) {
    this.#limitBytes = limitBytes;
  }

  /** @param path  relative to the start; `undefined`: it is not known which */
  add(reason: Reason, path: string | undefined): void {
    this.#counts.set(reason, this.count(reason) + 1);
    const names = this.#names.get(reason) ?? [];
    if (path !== undefined && names.length < maxNamedSkips) this.#names.set(reason, [...names, path]);
  }

  count(reason: Reason): number {
    return this.#counts.get(reason) ?? 0;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /**
   * What was not searched, in one line; `undefined`: there is nothing to say.
   * @param withBinary  whether to speak of binary files, which nobody expects to be searched
   * @param shown  a path as the model knows it
   */
  line(withBinary: boolean, shown: (path: string) => string): string | undefined {
    const named = (reason: Reason): string => {
      const names = (this.#names.get(reason) ?? []).map((path) => inertText(shown(path), maxNameLength));
      const more = this.count(reason) > names.length && names.length > 0 ? ", …" : "";
      return names.length === 0 ? "" : ` (${names.join(", ")}${more})`;
    };
    const parts = [
      ...this.#part("too-large", `above ${sizeText(this.#limitBytes)}${named("too-large")}`),
      ...this.#part("unreadable", `that cannot be read${named("unreadable")}`),
      ...(withBinary ? this.#part("binary", `with binary data${named("binary")}`) : []),
    ];
    if (parts.length === 0) return undefined;
    const isUsual = this.#limitBytes === maxSearchFileBytes;
    const advice = isUsual && this.count("too-large") > 0 ? " A large file is searched when path names it." : "";
    return `[not searched: ${parts.join("; ")}.${advice}]`;
  }

  #part(reason: Reason, text: string): readonly string[] {
    const count = this.count(reason);
    return count === 0 ? [] : [`${count} ${count === 1 ? "file" : "files"} ${text}`];
  }
}

function sizeText(bytes: number): string {
  return bytes % 1_000_000 === 0 ? `${bytes / 1_000_000} MB` : `${bytes} bytes`;
}

/** UTF-16 units of a name in the line. */
const maxNameLength = 80;
