import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, isJsonObject, type JsonObject, type JsonValue, messageOf } from "@capstan/protocol";

/**
 * What a user's login to one server has brought, in a file for that user alone. It is bound to the server's address: under the same name at another
 * address there is nothing.
 */
export class CredentialFile {
  readonly path: string;
  readonly #url: string;
  readonly #folder: string;

  constructor(folder: string, server: string, url: string) {
    this.#folder = folder;
    this.#url = new URL(url).href;
    const digest = createHash("sha256").update(this.#url).digest("hex").slice(0, 16);
    this.path = join(folder, `${server}.${digest}.json`);
  }

  /** @throws AppError `config.unreadable` */
  read(): JsonObject {
    try {
      const value: unknown = JSON.parse(readFileSync(this.path, "utf8"));
      return isJsonObject(value) && value["url"] === this.#url ? value : {};
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
      throw new AppError("config.unreadable", `${this.path}: ${messageOf(error)}`, {
        hint: "It holds a login. Remove it and log in again: capstan mcp login",
      });
    }
  }

  /** Changes some of it. `null`: taken away. */
  write(changes: Readonly<Record<string, JsonValue>>): void {
    const kept = Object.entries({ ...this.read(), ...changes, url: this.#url }).filter(([, value]) => value !== null);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const beside = `${this.path}.${process.pid}`;
    writeFileSync(beside, `${JSON.stringify(Object.fromEntries(kept))}\n`, { mode: 0o600 });
    renameSync(beside, this.path);
  }

  /** @returns whether there was a login */
  remove(): boolean {
    const wasThere = this.read()["tokens"] !== undefined;
    rmSync(this.path, { force: true });
    return wasThere;
  }
}
