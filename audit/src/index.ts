export type { AuditEntry, AuditFact } from "./audit-entry.ts";
export { auditFile, type AuditHeader, importedPart } from "./audit-file.ts";
