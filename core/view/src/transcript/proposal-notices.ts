import { inertLine } from "@capstan/patterns";
import { type NoticeRecord, type ProposalRecord, unreachable } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";

/** What people are informed of proposed changes that somebody applied or refused. */
export function proposalNotices(record: ProposalRecord): readonly Omit<NoticeRecord, "type">[] {
  switch (record.type) {
    case "proposals-applying":
      return [];
    case "proposals-applied":
      return [
        ...named("Applied what was proposed of", record.applied),
        ...record.conflicts.map(({ path, reason }) => ({
          level: "warning" as const,
          code: "proposals.settled",
          text: inertLine(`Left alone, and still proposed: ${path}: ${reason}`, lineCharacters),
        })),
      ];
    case "proposals-refused":
      return named("Refused what was proposed of", record.refused);
    default:
      return unreachable(record);
  }
}

function named(what: string, files: readonly { readonly path: string }[]): readonly Omit<NoticeRecord, "type">[] {
  if (files.length === 0) return [];
  const paths = [...new Set(files.map(({ path }) => path))].join(", ");
  return [{ level: "info", code: "proposals.settled", text: inertLine(`${what}: ${paths}`, lineCharacters) }];
}
