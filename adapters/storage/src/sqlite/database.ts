import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { AppError } from "@capstan/protocol";

/** What SQLite stores. Text ends at a NUL when it is bound: store only text that has none (JSON has none). */
export type SqlValue = string | number | null;

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
}

export type DatabaseConstructor = new (path: string, options: DatabaseOptions) => Database;

/**
 * The one place that knows which SQLite is used: `@photostructure/sqlite`, and where it has no binary for the platform, the
 * `node:sqlite` of Node 22.13 and later, whose interface it copies. Loaded here and not by an import, so that commands that
 * need no storage do not pay for it.
 * @throws {AppError} `storage.unavailable` when there is neither
 */
export function loadSqlite(): DatabaseConstructor {
  const require = createRequire(import.meta.url);
  const causes: unknown[] = [];
  for (const load of [prebuiltBinary, wholePackage, builtIn]) {
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
      hint: "Install again with `npm ci`, or use Node 22.13 or later, which has SQLite built in.",
    },
  );
}

interface SqliteModule {
  readonly DatabaseSync: DatabaseConstructor;
}

function isSqlite(module: unknown): module is SqliteModule {
  return typeof module === "object" && module !== null && typeof Reflect.get(module, "DatabaseSync") === "function";
}

type Load = (require: NodeJS.Require) => unknown;

/**
 * The package's binary without its JavaScript, which only searches for the binary and adds convenience: 1.5 ms instead of 7
 * (13 through `import`). A binary for another C library does not load, and the next way is tried.
 */
const prebuiltBinary: Load = (require) => {
  const folder = dirname(require.resolve("@photostructure/sqlite/package.json"));
  const platform = `${process.platform}-${process.arch}`;
  return require(join(folder, "prebuilds", platform, "@photostructure+sqlite.glibc.node"));
};

const wholePackage: Load = (require) => require("@photostructure/sqlite");

const builtIn: Load = () => process.getBuiltinModule("node:sqlite");
