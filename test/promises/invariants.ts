import { type Invariant, ownedBy } from "./promise.ts";

const engine = "core/engine/test";
const everyJournal = `${engine}/every-journal.test.ts`;

/** The invariants of ARCHITECTURE.md, by their first words. */
export const invariants: readonly Invariant[] = [
  {
    says: "Nothing is shown that is not journaled; nothing is executed whose intent is not durable.",
    owner: ownedBy(everyJournal, "nothing runs without a durable intent, and no effect runs twice, whatever restarts"),
    fault: {
      file: "core/engine/src/operation/from-tool-loop.ts",
      from: 'decision([started], [{ type: "run-tool"',
      to: 'decision([], [{ type: "run-tool"',
    },
  },
  {
    says: "Every tool call gets exactly one outcome, in call order, in one message.",
    owner: ownedBy(everyJournal, "every journal keeps the invariants on every prefix"),
    fault: {
      file: "core/session/src/evolve/close-batch.ts",
      from: "batchResults(operation.batch)",
      to: "batchResults({ ...operation.batch, calls: operation.batch.calls.toReversed() })",
    },
  },
  {
    says: "A cancelled, denied or unknown call is never stored as a success.",
    owner: ownedBy(
      "core/runtime/test/session-runtime.test.ts",
      "cancelled while a tool runs, the tool is stopped and its call is stored as cancelled",
    ),
    fault: {
      file: "core/engine/src/turn/tool-loop/finish-call.ts",
      from: "finished(pending.call.callId, outcomes.cancelledWhileRunning)",
      to: 'finished(pending.call.callId, { type: "done", content: "" })',
    },
  },
  {
    says: "No side effect is executed twice because of a crash",
    owner: ownedBy(
      `${engine}/operation/from-recovery.test.ts`,
      "`ask`: a user is shown the calls in doubt, and nothing runs meanwhile, however often the process restarts",
    ),
    fault: {
      file: "core/engine/src/turn/recovery/settle-calls.ts",
      from: 'case "in-doubt":\n      return [probed];',
      to: 'case "in-doubt":\n      return [probed, restarted(callId, "untouched")];',
    },
  },
  {
    says: "At most one step streams, one batch executes and one compaction runs per session",
    owner: ownedBy(`${engine}/operation/from-streaming.test.ts`, "late and foreign pieces of an answer change nothing"),
    fault: {
      file: "core/engine/src/turn/retry-step.ts",
      from: "from.stepId === call.stepId && from.attempt === call.attempt",
      to: "from.attempt === call.attempt",
    },
  },
  {
    says: "At most one step streams, one batch executes and one compaction runs per session: they are one union",
    owner: ownedBy(
      `${engine}/turn/background.test.ts`,
      "from 80 % of the budget on one summary is made beside the turn, which does not wait for it",
    ),
    fault: {
      file: "core/engine/src/turn/background.ts",
      from: "const isReady = background !== null ||",
      to: "const isReady =",
    },
  },
  {
    says: "Any journal prefix folds to a state from which the session continues",
    owner: ownedBy(
      everyJournal,
      "every prefix of every journal, whoever gave its answers, projects to a request that all four wires accept",
    ),
    fault: {
      file: "core/session/src/projection/conversation.ts",
      from: "? [batchResults(operation.batch)] : []",
      to: "? [] : []",
    },
  },
  {
    // The other half: a session that waits for what nobody was asked to do looks at rest from outside, and never continues.
    says: "Any journal prefix folds to a state from which the session continues, and projects",
    owner: ownedBy(
      everyJournal,
      "a journal that is cut anywhere, as a fork may cut it, still leads to rest, and no effect runs twice",
    ),
    fault: {
      file: "core/engine/src/operation/from-preparing.ts",
      from: 'decision([{ type: "session-recovered", found }]), packContext',
      to: 'decision([{ type: "session-recovered", found }]), () => nothing',
    },
  },
  {
    says: "A turn that fails or is interrupted before any tool ran leaves the conversation as before it",
    owner: ownedBy(
      `${engine}/operation/from-streaming.test.ts`,
      "a failure for good ends the turn, and the words come back as a draft",
    ),
    fault: {
      file: "core/engine/src/turn/end-turn.ts",
      from: "const draft = rolledBack ? { draft: turn.content } : {};",
      to: "const draft = {};",
    },
  },
  {
    says: "Deny beats ask beats allow, whatever the order of rules or layers.",
    owner: ownedBy(
      "core/policy/test/judge-properties.test.ts",
      "a deny rule that speaks of an action beats everything",
    ),
    fault: {
      file: "core/policy/src/judge/judge-use.ts",
      from: "if (deny !== undefined) return byRule(deny, action);",
      to: 'if (deny !== undefined && situation.mode !== "auto") return byRule(deny, action);',
    },
  },
  {
    says: "An interaction is resolved once; a late or repeated answer changes nothing.",
    owner: ownedBy(
      `${engine}/turn/tool-loop/approvals.test.ts`,
      "an answer that does not fit changes nothing: other digest, other interaction, other kind, repeated, late",
    ),
    fault: {
      file: "core/policy/src/authority/check-answer.ts",
      from: '"digest" in answer && answer.digest !== interaction.digest',
      to: '"digest" in answer && answer.digest === ""',
    },
  },
  {
    says: "One writer per session: a lease with a generation",
    owner: ownedBy(
      "adapters/storage/test/sqlite/lease.test.ts",
      "an owner that was stopped, and wakes up after a takeover, appends nothing and learns by whom",
    ),
    fault: {
      file: "adapters/storage/src/sqlite/append.ts",
      from: "WHERE session_id = ? AND generation = ?",
      to: "WHERE session_id = ? AND generation >= ?",
    },
  },
  {
    says: "Compaction never deletes: originals stay in the journal.",
    owner: ownedBy(
      `${engine}/operation/compaction.test.ts`,
      "a summary stands in for what it summarises, and the originals stay",
    ),
    fault: {
      file: "core/session/src/evolve/evolve-compaction.ts",
      from: "...shown(state, summary), summaries",
      to: "...shown(state, summary), conversation: [], summaries",
    },
  },
  {
    says: "Secrets never reach a journal, an error or a result, also encoded or cut in two",
    owner: ownedBy("core/runtime/test/redact.test.ts", "no given secret survives, wherever it stands"),
    fault: {
      file: "core/runtime/src/redaction/known-values.ts",
      from: "if (whole > 0) spans.push(",
      to: "if (whole > 99) spans.push(",
    },
  },
  {
    says: "Untrusted text is stripped of terminal escapes and bidirectional controls before display",
    owner: ownedBy(
      "frontends/cli/test/text-view.test.ts",
      "nothing that others wrote reaches the screen as an escape or a turned-around text",
    ),
    fault: { file: "core/patterns/src/inert-text.ts", from: '.replace(controls, "")', to: "" },
  },
  {
    says: "Every queue, loop, retry, buffer and output has a named limit.",
    owner: ownedBy(
      `${engine}/turn/tool-loop/open-batch.test.ts`,
      "calls beyond the limit of a batch are answered and not run",
    ),
    fault: {
      file: "core/engine/src/turn/tool-loop/open-batch.ts",
      from: "index >= limits.maxToolCallsPerBatch",
      to: "index > limits.maxToolCallsPerBatch",
    },
  },
  {
    says: "Authority comes only from the user and user-level configuration",
    owner: ownedBy(
      "settings/test/config/project-layer.test.ts",
      "each key that restricts takes effect from a project, and each other key is ignored by name",
    ),
    fault: {
      file: "settings/src/config/project-layer.ts",
      from: "key.projectMayNarrow !== true",
      to: "key.projectMayNarrow === false",
    },
  },
  {
    says: "One frozen action is what policy judged, the user saw, the journal holds and the executor runs.",
    owner: ownedBy(
      "core/runtime/test/changed-action.test.ts",
      "an action is run only as long as it is the one that its digest was taken of",
    ),
    fault: {
      file: "core/runtime/src/effects/prepare-actions.ts",
      from: "digest(canonicalJson(draft)) === taken",
      to: 'digest(canonicalJson(draft)) !== ""',
    },
  },
  {
    says: "A check is made on the thing used (open descriptor, argument vector), not on a name that is looked up again.",
    owner: ownedBy(
      "adapters/tools/test/paths/pinned-file.test.ts",
      "a directory on the way that became a link is not followed",
    ),
    fault: {
      file: "adapters/tools/src/paths/pinned-directory.ts",
      from: "constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK",
      to: "constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK",
    },
  },
  {
    says: "A batch comes out as its calls would one by one",
    owner: ownedBy(
      "library/test/batches.test.ts",
      "write then read, write then edit, a command and a read of what it made, `rm` then write: each call finds what the one before it left",
    ),
    fault: {
      file: "core/runtime/src/effects/prepare-batch.ts",
      from: "ground.lay(item.staged);",
      to: "ground.lay({ ...item.staged, files: [] });",
    },
  },
];
