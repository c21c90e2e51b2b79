export { createMemoryStore } from "./memory/create-memory-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
