import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { AppError } from "@capstan/protocol";

/** What SQLite stores. Text ends at a NUL when it is bound: store only text that has none (JSON has none). */
export type SqlValue = string | number | null | Uint8Array;

/** The part of `node:sqlite`'s StatementSync that is used here. */
export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): readonly unknown[];
}

/** The part of `node:sqlite`'s DatabaseSync that is used here. */
export interface Database {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface DatabaseOptions {
  readonly timeout: number;
  readonly defensive: boolean;
  readonly readOnly?: boolean;
}

export type DatabaseConstructor = new (path: string, options: DatabaseOptions) => Database;

/**
 * The one place that knows which SQLite is used: Node's own where it has one that does all that is needed (22.16 and later),
 * else `@photostructure/sqlite`, whose interface is the same. Loaded here and not by an import, so that commands that need no
 * storage do not pay for it.
 * @param ways  in the order in which they are tried
 * @throws {AppError} `storage.unavailable` when there is neither
 */
export function loadSqlite(ways: readonly Load[] = [builtIn, prebuiltBinary, wholePackage]): DatabaseConstructor {
  const require = createRequire(import.meta.url);
  const causes: unknown[] = [];
  for (const load of ways) {
    try {
      const loaded = load(require);
      if (isSqlite(loaded)) return loaded.DatabaseSync;
    } catch (error) {
      causes.push(error);
    }
  }
  throw new AppError(
    "storage.unavailable",
    `no SQLite for ${process.platform}-${process.arch} with Node ${process.version}`,
    {
      cause: new AggregateError(causes, "every way of loading SQLite failed"),
      hint: "Use Node 22.16 or later, which has SQLite built in. With Node 20 on Linux, macOS or Windows (x64, arm64), install Capstan again without `--omit=optional`.",
    },
  );
}

interface SqliteModule {
  readonly DatabaseSync: DatabaseConstructor;
}

function isSqlite(module: unknown): module is SqliteModule {
  return typeof module === "object" && module !== null && typeof Reflect.get(module, "DatabaseSync") === "function";
}

/** @returns the module, or `undefined` where there is none */
export type Load = (require: NodeJS.Require) => unknown;

/**
 * Node's own. The versions that warn of it as an experiment do so once, while it is loaded; whoever runs Capstan did not choose
 * it and can do nothing about it.
 */
export const builtIn: Load = () => {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    const loaded = process.getBuiltinModule("node:sqlite");
    return isSqlite(loaded) && "isTransaction" in loaded.DatabaseSync.prototype ? loaded : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
};

/**
 * The package's binary without its JavaScript, which only searches for the binary and adds convenience: 1.5 ms instead of 7
 * (13 through `import`). A binary for another C library does not load, and the next way is tried.
 */
export const prebuiltBinary: Load = (require) => {
  const folder = dirname(require.resolve("@photostructure/sqlite/package.json"));
  const platform = `${process.platform}-${process.arch}`;
  return require(join(folder, "prebuilds", platform, "@photostructure+sqlite.glibc.node"));
};

const wholePackage: Load = (require) => require("@photostructure/sqlite");
