import { type FileConflict, type ProposalRecord, unreachable } from "@capstan/protocol";
import { inertLine, type ProgressLine } from "@capstan/view";

const pathCharacters = 160;

/** What is said while proposed changes are applied or refused. */
export function proposalLines(record: ProposalRecord): readonly ProgressLine[] {
  switch (record.type) {
    case "proposals-applying":
      return [{ tone: "warning", text: `Applying proposed changes of ${counted(record.files.length, "file")}.` }];
    case "proposals-applied":
      return [
        ...record.applied.map(({ path, after }) => onFile("good", after === null ? "removed" : "applied", path)),
        ...leftAloneLines(record.conflicts),
      ];
    case "proposals-refused":
      return record.refused.map(({ path }) => onFile("muted", "refused", path));
    default:
      return unreachable(record);
  }
}

/** Files that somebody else has changed. */
export function leftAloneLines(conflicts: readonly FileConflict[]): readonly ProgressLine[] {
  return conflicts.map(({ path, reason }) => {
    const { tone, text } = onFile("bad", "left alone", path);
    return { tone, text: `${text}: ${reason}` };
  });
}

/** What a turn that proposed changes leaves to do, however it ended. */
export function proposedLines(fileCount: number, sessionId: string): readonly ProgressLine[] {
  if (fileCount === 0) return [];
  return [
    { tone: "warning", text: `proposed: changes of ${counted(fileCount, "file")}; none of them is made` },
    { tone: "plain", text: `Look at them: capstan proposals show ${sessionId}` },
    { tone: "plain", text: `Make them: capstan proposals apply ${sessionId} (or drop them: proposals refuse)` },
  ];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function onFile(tone: ProgressLine["tone"], what: string, path: string): ProgressLine {
  return { tone, text: `  ${what} ${inertLine(path, pathCharacters)}` };
}
