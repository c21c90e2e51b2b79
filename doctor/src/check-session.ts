import { conversation, Folding, modelRequest, outlined, type SessionState, snapshot } from "@capstan/session";
import type { HeldLease, JournalProblem, SessionStore } from "@capstan/ports";
import { AppError, messageOf, type ModelSettings, type SessionEvent, type SessionId } from "@capstan/protocol";
import { toAnthropicBody, toChatBody, toGoogleBody, toResponsesBody } from "@capstan/providers";
import type { Check } from "@capstan/protocol";
import { bad, good, note } from "./check.ts";
import { messageProblems, PairCheck } from "./check-conversation.ts";
import { interruptedWork } from "./interrupted-work.ts";
import { inParts, lookFor } from "@capstan/storage";
import { maxListed } from "./limits.ts";

/** Verifies one session: what is stored, what it folds to, and what every wire would be sent. Changes nothing. */
export async function checkSession(store: SessionStore, id: SessionId): Promise<readonly Check[]> {
  const stored = checkStored(await store.check(id), id);
  const holder = await store.holder(id);
  try {
    const journal = new JournalCheck(id);
    for await (const event of inParts((after, limit) => store.read(id, after, limit))) journal.take(event);
    return [...stored, ...journal.checks(), ...checkHolder(holder)];
  } catch (error) {
    const isNewer = error instanceof AppError && error.code === "storage.newer-version";
    const unreadable = bad("records", messageOf(error), isNewer ? updateAdvice : repairAdvice(id));
    return [...stored, unreadable, ...checkHolder(holder)];
  }
}

function repairAdvice(id: SessionId): string {
  return `\`capstan doctor ${id} --repair\` backs the database up and makes a new session of the good beginning.`;
}

function checkStored(problems: readonly JournalProblem[], id: SessionId): readonly Check[] {
  if (problems.length === 0) return [good("chain", "every record follows on the one before it; the index fits")];
  return problems.map(({ kind, seq, text }) => {
    const place = seq === null ? "" : `record ${seq}: `;
    return bad(plainNames[kind], `${place}${text}`, adviceFor(kind, id));
  });
}

const plainNames: Readonly<Record<JournalProblem["kind"], string>> = {
  unreadable: "damaged record",
  "newer-version": "newer record",
  "broken-chain": "broken chain",
  "missing-end": "missing end",
  index: "index",
};

function adviceFor(kind: JournalProblem["kind"], id: SessionId): string {
  if (kind === "newer-version") return updateAdvice;
  return kind === "index" ? indexAdvice(id) : repairAdvice(id);
}

const updateAdvice = "Update Capstan: nothing is damaged, and nothing is to be repaired.";

function indexAdvice(id: SessionId): string {
  return `The records count, and the session works; \`capstan doctor ${id} --repair\` makes a copy with a right index.`;
}

/** A journal, event by event. It is folded without its long texts: they make no difference to what is looked for. */
class JournalCheck {
  readonly #id: SessionId;
  readonly #folding = new Folding();
  readonly #pairs = new PairCheck();
  #events = 0;
  #lastSeq = 0;
  #started = 0;
  #kept = 0;

  constructor(id: SessionId) {
    this.#id = id;
  }

  take(event: SessionEvent): void {
    const { seq, record } = event;
    this.#events += 1;
    this.#lastSeq = seq;
    this.#pairs.take(event);
    this.#folding.take(outlined(record));
    if (record.type !== "tool-started") return;
    this.#started += 1;
    if (record.checkpoint !== undefined) this.#kept += 1;
  }

  checks(): readonly Check[] {
    const { state } = this.#folding;
    const messages = conversation(state);
    return [
      this.#checkFold(state),
      listed("calls", this.#pairs.problems, "every call has exactly one outcome", this.#id),
      listed("conversation", messageProblems(messages), `${state.conversation.length} messages, in order`, this.#id),
      ...checkWires(state, this.#id),
      checkOpenWork(state),
      note(
        "checkpoints",
        this.#kept === 0 ? "none are kept" : `files were kept before ${this.#kept} of ${this.#started} calls`,
      ),
    ];
  }

  #checkFold(state: SessionState): Check {
    try {
      snapshot(state, this.#lastSeq);
      return good("records", `${this.#events} kept, ${state.turnIds.length} turns`);
    } catch (error) {
      return bad("records", messageOf(error), repairAdvice(this.#id));
    }
  }
}

function listed(name: string, problems: readonly string[], fine: string, id: SessionId): Check {
  if (problems.length === 0) return good(name, fine);
  const more = problems.length > maxListed ? `; and ${problems.length - maxListed} more` : "";
  return bad(name, problems.slice(0, maxListed).join("; ") + more, repairAdvice(id));
}

const bodies: readonly (readonly [string, (state: SessionState, model: ModelSettings) => unknown])[] = [
  ["anthropic", (state, model) => toAnthropicBody(modelRequest(state, model), model)],
  ["openai-responses", (state, model) => toResponsesBody(modelRequest(state, model), model)],
  ["openai-chat", (state, model) => toChatBody(modelRequest(state, model), model)],
  ["google", (state, model) => toGoogleBody(modelRequest(state, model), model)],
];

/** Whether the session can continue with any vendor. */
function checkWires(state: SessionState, id: SessionId): readonly Check[] {
  const settings = state.config?.model;
  if (settings === undefined || state.conversation.length === 0) return [note("requests", "nothing was said yet")];
  const problems = bodies.flatMap(([wire, bodyOf]): readonly string[] => {
    const model: ModelSettings = { ...settings, provider: wire, wire };
    try {
      JSON.stringify(bodyOf(state, model));
      return messageProblems(modelRequest(state, model).messages).map((problem) => `${wire}: ${problem}`);
    } catch (error) {
      return [`${wire}: ${messageOf(error)}`];
    }
  });
  return [listed("requests", problems, "a valid one for each of the four wires", id)];
}

function checkOpenWork(state: SessionState): Check {
  const work = interruptedWork(state);
  return work === null ? good("work", "nothing is under way") : note("work", work);
}

function checkHolder(holder: HeldLease | null): readonly Check[] {
  if (holder === null) return [good("lease", "nobody is writing to it")];
  const { owner, claimedAt } = holder;
  const who = `process ${owner.processId} (${owner.frontend}), since ${new Date(claimedAt).toISOString()}`;
  switch (lookFor(owner)) {
    case "running":
      return [note("lease", `${who} is writing to it; others can read it or fork it`)];
    case "gone":
      return [note("lease", `${who} ended without giving it back; the next opening takes it over`)];
    case "unknown":
      return [note("lease", `${who} holds it, on another machine or in a container that cannot be seen from here`)];
  }
}
