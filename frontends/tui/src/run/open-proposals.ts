import { kindOfEffect, type ProposedChange, proposedChanges } from "@capstan/client";
import type { JournalRecord, SessionId, SessionsClient, SessionSnapshot } from "@capstan/protocol";
import { cardChange, decisionLine } from "@capstan/view";
import type { Proposed } from "../card/card-choices.ts";

const summaryCharacters = 300;

export interface ProposalSource {
  readonly id: SessionId;
  readonly sessions: Pick<SessionsClient, "history">;
  readonly snapshot: () => Promise<SessionSnapshot>;
}

/** What a session proposes, as its snapshot has it after each record that changes it. */
export class OpenProposals {
  readonly #source: ProposalSource;
  readonly #changed: () => void;
  #files: readonly Proposed[] = [];
  /** A call of the open turn proposed something. */
  #isNew = false;
  /** Of the newest look: an older one that takes longer has nothing to say. */
  #looks = 0;

  constructor(source: ProposalSource, changed: () => void) {
    this.#source = source;
    this.#changed = changed;
  }

  /** In the order in which they were proposed. */
  get files(): readonly Proposed[] {
    return this.#files;
  }

  take(record: JournalRecord): void {
    if (record.type === "tool-finished" && record.proposed !== undefined) this.#isNew = true;
    if (record.type === "turn-ended" ? this.#isNew || this.#files.length > 0 : isChange.has(record.type)) this.look();
  }

  /** Reads what is proposed now. */
  look(): void {
    this.#looks += 1;
    this.#isNew = false;
    // Of a session that was closed meanwhile nothing is shown any more.
    this.#read(this.#looks).catch(() => undefined);
  }

  async #read(look: number): Promise<void> {
    const { id, sessions, snapshot } = this.#source;
    const found = await snapshot();
    const changes = await proposedChanges(sessions, id, found);
    if (look !== this.#looks) return;
    this.#files = changes.map((change) => proposedOf(change, found.workspace.cwd));
    this.#changed();
  }
}

/** Records after which something else may be proposed. */
const isChange: ReadonlySet<JournalRecord["type"]> = new Set([
  "proposals-applied",
  "proposals-refused",
  "rewind-finished",
]);

function proposedOf({ proposal, effect, change, leftAlone }: ProposedChange, cwd: string): Proposed {
  const { path } = effect;
  const unknown = { kind: kindOfEffect(effect), addedLines: 0, removedLines: 0 };
  const shown = { ...(change ?? unknown), path: path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path };
  return {
    id: `${proposal.id} ${path}`,
    digest: "",
    request: {
      type: "proposed",
      file: { proposal: proposal.id, path },
      summary: decisionLine(proposal.summary, { limitCharacters: summaryCharacters }),
      change: cardChange(shown),
      leftAlone: leftAlone === undefined ? null : decisionLine(leftAlone, { limitCharacters: summaryCharacters }),
    },
  };
}
