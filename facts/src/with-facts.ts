import type { ContextSource, ContextTurn } from "@capstan/ports";
import type { ContextPart } from "@capstan/protocol";
import { maxReadsBeforeTurn, maxReadsBesideTurn } from "./limits.ts";
import type { SessionFacts } from "./session-facts.ts";

export interface JoinedFacts {
  readonly facts: SessionFacts;
  /** Bytes of the facts that a turn is shown. */
  readonly limitBytes: number;
  /** Calls `work` once the turn's request is under way. */
  readonly later: (work: () => void) => void;
}

/** What is remembered, after what the last sessions have to add, as far as a turn can wait for it. Where nothing is, nothing is opened. */
async function remembered(
  { facts, limitBytes }: JoinedFacts,
  turn: ContextTurn & { readonly cwd: string },
): Promise<ContextPart | undefined> {
  if (!facts.isThere()) return undefined;
  await facts.readOn(turn.cwd, { maxReads: maxReadsBeforeTurn, isWaitedFor: true });
  return await facts.part(turn, limitBytes);
}

/** What a source says of a workspace, and what is remembered of earlier work there. Journals are read on while the model works. */
export function withFacts(source: ContextSource, joined: JoinedFacts): ContextSource {
  const { facts, later } = joined;
  return {
    async collect(workspace, signal, turn) {
      const { cwd } = workspace;
      // A store of facts that cannot be read keeps no turn from its work.
      const known = remembered(joined, { ...turn, cwd }).catch(() => undefined);
      const parts = await source.collect(workspace, signal, turn);
      later(() => void facts.readOn(cwd, { maxReads: maxReadsBesideTurn }));
      const part = await known;
      return part === undefined ? parts : [...parts, part];
    },
  };
}
