import type { JournalRecord } from "@capstan/protocol";

/**
 * No words are lost: an input that waits begins a turn, reaches the open turn, or is removed or handed back by a record; words for the open
 * turn are read before a step of it, or handed back before it ends.
 * What is done to the session as a whole is done once for each submission. Returns what is wrong.
 */
export function checkInputs(journal: readonly JournalRecord[]): readonly string[] {
  const waiting = new Set<string>();
  const unread = new Map<string, Set<string>>();
  const counted = new Set<string>();
  const problems: string[] = [];
  for (const record of journal) {
    if ("submissionId" in record && record.submissionId !== undefined) {
      if (counted.has(record.submissionId)) problems.push(`the submission ${record.submissionId} counted twice`);
      counted.add(record.submissionId);
    }
    switch (record.type) {
      case "turn-queued":
        waiting.add(record.turnId);
        break;
      case "turn-started":
        waiting.delete(record.turnId);
        break;
      case "turn-steered": {
        waiting.delete(record.inputId);
        const words = unread.get(record.turnId) ?? new Set();
        unread.set(record.turnId, words.add(record.inputId));
        break;
      }
      case "queue-changed": {
        const { type } = record.change;
        if (type === "replaced" || type === "moved") {
          if (!waiting.has(record.turnId)) problems.push(`${record.turnId} was ${type} and does not wait`);
          break;
        }
        waiting.delete(record.turnId);
        for (const words of unread.values()) words.delete(record.turnId);
        break;
      }
      case "step-started":
        unread.delete(record.turnId);
        break;
      case "turn-ended":
        if ((unread.get(record.turnId)?.size ?? 0) > 0)
          problems.push(`words for ${record.turnId} were lost when it ended`);
        unread.delete(record.turnId);
        break;
      default:
        break;
    }
  }
  return problems;
}
