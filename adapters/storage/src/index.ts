export { hasFacts, openFactStore } from "./facts/fact-store-when-needed.ts";
export { inParts } from "./in-parts.ts";
export { createMemoryStore } from "./memory/create-memory-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
export { type ForeignDatabase, openForeignDatabase } from "./sqlite/open-foreign-database.ts";
export { deleteFromBackups } from "./sqlite/delete.ts";
export { backUpDatabase, type DatabaseReport, inspectDatabase } from "./sqlite/inspect/inspect-database.ts";
export { type SalvagedJournal, salvageJournal } from "./sqlite/damage/salvage-journal.ts";
export { rebuildDatabase, type SavedSession } from "./sqlite/damage/rebuild-database.ts";
export { bootTimeMs, lookFor, processIdentity } from "./process-identity.ts";
export { type JournalStatistics, readStatistics } from "./sqlite/inspect/read-statistics.ts";
export {
  compressSessions,
  type CompressionStep,
  sessionsToCompress,
  shrinkDatabase,
} from "./sqlite/cold/compress-sessions.ts";
