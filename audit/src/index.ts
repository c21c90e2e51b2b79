export type { AuditEntry, AuditFact } from "./audit-entry.ts";
export { auditFile, type AuditHeader, importedPart } from "./audit-file.ts";
export { DecisionCounts, type DecisionReport } from "./decision-report.ts";
