import { checkInvariants } from "@capstan/testkit";
import { agentsOnce } from "./agents-once.ts";
import { effectsOnce } from "./effects-once.ts";
import type { Evidence, Violation, ViolationKind } from "./evidence.ts";
import { shownIsKept } from "./shown-is-kept.ts";

/** Everything that a tortured session breaks of what is promised; empty: nothing. */
export function checkEvidence(evidence: Evidence): readonly Violation[] {
  return [
    ...shownIsKept(evidence),
    ...effectsOnce(evidence),
    ...agentsOnce(evidence),
    ...all("bricked", [...evidence.refusals.map((refusal) => `refused: ${refusal}`), ...evidence.stuck]),
    ...all("journal", [evidence.journal, ...evidence.agents].flatMap(journalHolds)),
    ...all("survivor", evidence.survivors),
    ...all("leftover", leftovers(evidence)),
    ...all("doctor", evidence.doctor === null ? [] : [evidence.doctor]),
  ];
}

function all(kind: ViolationKind, texts: readonly string[]): readonly Violation[] {
  return texts.map((text) => ({ kind, text }));
}

/** Numbers grow, and the records keep the engine's own invariants at every place. */
function journalHolds(journal: Evidence["journal"]): readonly string[] {
  const unordered = journal.flatMap(({ seq }, at) => {
    const before = journal[at - 1]?.seq ?? 0;
    return seq > before ? [] : [`record ${seq} stands behind record ${before}`];
  });
  return [...unordered, ...checkInvariants(journal.map(({ record }) => record))];
}

/**
 * Files that nobody asked for: temporary ones that a killed commit left behind. Where its outcome is reported as unknown they may
 * be the only copy of somebody's file, and stay.
 */
function leftovers({ files, expectedFiles, journal, agents }: Evidence): readonly string[] {
  const expected = new Set(expectedFiles);
  const isInDoubt = [journal, ...agents]
    .flat()
    .some(({ record }) => record.type === "tool-finished" && record.outcome.type === "unknown");
  return Object.keys(files)
    .filter((file) => !expected.has(file) && !(isInDoubt && keptCopy.test(file)))
    .map((file) => `${file} was left in the workspace`);
}

const keptCopy = /(?:^|\/)\.capstan-\d+-[0-9a-f]+\.(?:old|new)$/;
