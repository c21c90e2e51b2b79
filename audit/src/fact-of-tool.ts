import { type ToolRecord, unreachable } from "@capstan/protocol";
import type { AuditFact } from "./audit-entry.ts";

type Audited = Extract<
  ToolRecord,
  { type: "tool-decided" | "tool-deferred" | "tool-started" | "tool-probed" | "tool-restarted" | "tool-finished" }
>;

/** What a record says of a call. @param actionOf  what the call does, in a line */
export function factOfTool(record: Audited, actionOf: (callId: string) => string): AuditFact {
  const call = record.callId;
  const action = actionOf(call);
  switch (record.type) {
    case "tool-decided": {
      const { verdict, reason, rule } = record.judgement;
      const by = rule === undefined ? {} : { rule: `${rule.text} (${rule.source})` };
      return { type: "judged", call, action, digest: record.action.digest, verdict, reason, ...by };
    }
    case "tool-deferred":
      return { type: "noted", text: `it waits for the calls before it: ${action}` };
    case "tool-started":
      return { type: "ran", call, action, digest: record.digest };
    case "tool-probed": {
      const { finding } = record;
      return { type: "probed", call, action, text: finding.type === "ended" ? "it came to its end" : finding.text };
    }
    case "tool-restarted":
      return { type: "probed", call, action, text: `it is to run again: ${record.reason}` };
    case "tool-finished": {
      const { outcome, durationMs } = record;
      const changes = record.changes.map(({ path, kind, addedLines, removedLines }) => ({
        path,
        kind,
        addedLines,
        removedLines,
      }));
      return { type: "came-out", call, action, outcome: outcome.type, text: outcome.content, changes, durationMs };
    }
    default:
      return unreachable(record);
  }
}
