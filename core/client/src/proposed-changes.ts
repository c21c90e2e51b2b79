import type {
  FileChange,
  FileEffect,
  HistoryPage,
  Proposal,
  SessionId,
  SessionsClient,
  SessionSnapshot,
} from "@capstan/protocol";

/** A file that a session proposes to change, with what people are to see of it. */
export interface ProposedChange {
  readonly proposal: Proposal;
  readonly effect: FileEffect;
  /** As long as the record of the call is there. */
  readonly change: FileChange | undefined;
  /** Why it was left alone when it was applied last; absent: that was not tried, or it has not failed. */
  readonly leftAlone?: string;
}

const pageEvents = 500;

/** What a session proposes, file by file, in the order in which it was proposed. */
export async function proposedChanges(
  sessions: Pick<SessionsClient, "history">,
  id: SessionId,
  { proposals, workspace }: Pick<SessionSnapshot, "proposals" | "workspace">,
): Promise<readonly ProposedChange[]> {
  const said = await whatWasSaid(sessions, id, new Set(proposals.map(({ callId }) => callId)));
  return proposals.flatMap((proposal) => {
    const { changes = [], leftAlone } = said.get(proposal.callId) ?? {};
    return proposal.files.map((effect): ProposedChange => {
      const reason = leftAlone?.get(effect.path);
      const change = changeOf(changes, effect, workspace.cwd);
      return { proposal, effect, change, ...(reason === undefined ? {} : { leftAlone: reason }) };
    });
  });
}

/** What would become of the file. */
export function kindOfEffect({ before, after }: FileEffect): FileChange["kind"] {
  return before === null ? "created" : after === null ? "deleted" : "modified";
}

interface Said {
  readonly changes: readonly FileChange[];
  /** Reasons by path, of when it was applied last. */
  readonly leftAlone: ReadonlyMap<string, string>;
}

/** By call: from the newest record back to the oldest of the calls, so that what was left alone before a call is not held against it. */
async function whatWasSaid(
  sessions: Pick<SessionsClient, "history">,
  id: SessionId,
  calls: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Said>> {
  const said = new Map<string, Said>();
  const leftAlone = new Map<string, string>();
  let before: number | null = null;
  while (said.size < calls.size) {
    const page: HistoryPage = await sessions.history(id, before, pageEvents);
    for (const { record } of page.events.toReversed()) {
      if (record.type === "tool-finished" && calls.has(record.callId))
        said.set(record.callId, { changes: record.changes, leftAlone: new Map(leftAlone) });
      const conflicts = record.type === "proposals-applied" ? record.conflicts : [];
      for (const { path, reason } of conflicts) if (!leftAlone.has(path)) leftAlone.set(path, reason);
    }
    before = page.before;
    if (before === null) break;
  }
  return said;
}

/** Paths of changes may be relative to the folder of the session. */
function changeOf(changes: readonly FileChange[], { path }: FileEffect, cwd: string): FileChange | undefined {
  return changes.find((change) => change.path === path || `${cwd}/${change.path}` === path);
}
