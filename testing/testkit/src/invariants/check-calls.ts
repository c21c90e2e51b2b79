import type { JournalRecord, ToolOutcome } from "@capstan/protocol";
import { batchesOf, type JournaledBatch } from "./batches.ts";

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

/** Invariants 1 to 3 and 16 on the records alone. Returns what is wrong. */
export function checkCalls(journal: readonly JournalRecord[]): readonly string[] {
  const batches = batchesOf(journal);
  return [...checkForeign(journal, batches), ...batches.flatMap((batch) => checkBatch(batch))];
}

function checkForeign(journal: readonly JournalRecord[], batches: readonly JournaledBatch[]): readonly string[] {
  const spoken = journal.filter((record) => isToolRecord(record)).length;
  const expected = batches.flatMap((batch) => batch.records.filter((record) => isToolRecord(record))).length;
  return spoken === expected ? [] : ["a tool record stands outside of every batch"];
}

function isToolRecord({ type }: JournalRecord): boolean {
  return type === "tool-decided" || type === "tool-started" || type === "tool-finished";
}

function checkBatch(batch: JournaledBatch): readonly string[] {
  const known = new Set<string>(batch.calls.map((call) => call.callId));
  const foreign = batch.records.flatMap((record) =>
    "callId" in record && record.type !== "tool-effects" && !known.has(record.callId)
      ? [`${record.type} names ${record.callId}, which the batch has not`]
      : [],
  );
  const repeated = known.size === batch.calls.length ? [] : ["two calls of one step have the same id"];
  return [...foreign, ...repeated, ...batch.calls.flatMap(({ callId }) => checkCall(batch, callId))];
}

/** A call whose arguments a user changed is another from there on: what was decided and asked before is void. */
function checkCall(batch: JournaledBatch, callId: string): readonly string[] {
  const { records } = batch;
  const at = records.findLastIndex((record) => record.type === "call-edited" && record.callId === callId);
  if (at === -1) return checkLife(batch, callId);
  const before = records.slice(0, at + 1);
  // A start that was taken back, because nothing of it had happened, is none.
  const last = before.findLast(
    (record) =>
      (record.type === "tool-started" || record.type === "tool-restarted" || record.type === "tool-finished") &&
      record.callId === callId,
  );
  const ran = last !== undefined && last.type !== "tool-restarted";
  return [
    ...(ran ? [`call ${callId} was edited after it had begun or ended`] : []),
    ...(isEdited(before, callId) ? [] : [`call ${callId} was edited without a user's word on it`]),
    ...checkLife({ ...batch, records: records.slice(at + 1) }, callId),
  ];
}

/** By the answer to what was asked about it last, right before. */
function isEdited(records: readonly JournalRecord[], callId: string): boolean {
  const asked = records.findLast(
    (record) =>
      record.type === "interaction-opened" &&
      record.interaction.request.type === "approval" &&
      record.interaction.request.callId === callId,
  );
  const resolved = records.at(-2);
  return (
    asked?.type === "interaction-opened" &&
    resolved?.type === "interaction-resolved" &&
    resolved.interactionId === asked.interaction.id &&
    resolved.answer.type === "edit" &&
    resolved.answer.digest === asked.interaction.digest
  );
}

function checkLife({ records, closedAt }: JournaledBatch, callId: string): readonly string[] {
  const mine = records.flatMap((record, at) =>
    "callId" in record && record.type !== "tool-effects" && record.type !== "hook-started" && record.callId === callId
      ? [{ record, at }]
      : [],
  );
  const decisions = mine.flatMap(({ record, at }) => (record.type === "tool-decided" ? [{ record, at }] : []));
  const starts = mine.flatMap(({ record, at }) => (record.type === "tool-started" ? [{ record, at }] : []));
  const [decided] = decisions;
  const [started, ...startedAgain] = starts;
  const [finished, ...finishedAgain] = mine.flatMap(({ record, at }) =>
    record.type === "tool-finished" ? [{ record, at }] : [],
  );
  const problems = checkPermission(records, decisions, starts).map((problem) => `call ${callId} ${problem}`);
  const check = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(`call ${callId} ${problem}`);
  };
  check(startedAgain.length <= restartsOf(mine.map(({ record }) => record)), "was started twice");
  check(finishedAgain.length === 0, "has two outcomes");
  check(closedAt === null || finished !== undefined, "has no outcome although its batch is closed");
  if (finished !== undefined) {
    check(mine.at(-1)?.record === finished.record, "continues after its outcome");
    // A start that was taken back, because nothing of it had happened or somebody chose so, is none.
    const last = mine.findLast(({ record }) => record.type === "tool-started" || record.type === "tool-restarted");
    const ran = last?.record.type === "tool-started";
    const isAnswered = decided?.record.action.effect === "session";
    const isSuccess = finished.record.outcome.type === "done";
    check(started !== undefined || isAnswered || !isSuccess, "is stored as a success and never started");
    check(started === undefined || !isAnswered, "concerns the session and was started");
    check(!ran || mayFollowStart(finished.record.outcome), `ran and is stored as ${finished.record.outcome.type}`);
    check(!wasDenied(records, callId) || finished.record.outcome.type === "denied", "was denied and is not stored so");
  }
  return problems;
}

interface Placed<Type extends JournalRecord["type"]> {
  readonly record: Of<Type>;
  readonly at: number;
}

/** A call is decided on once in a process, unless it has become another action, and every start of it is what was decided on last. */
function checkPermission(
  records: readonly JournalRecord[],
  decisions: readonly Placed<"tool-decided">[],
  starts: readonly Placed<"tool-started">[],
): readonly string[] {
  const repeated = decisions.flatMap(({ record, at }, place) => {
    const before = decisions[place - 1];
    const between = before === undefined ? [] : records.slice(before.at, at);
    const isAnother =
      before?.record.action.digest !== record.action.digest ||
      isDeferred(between, record.callId) ||
      between.some(isRecovery);
    return isAnother ? [] : ["was decided on twice"];
  });
  const started = starts.flatMap(({ record, at }) => {
    const judged = decisions.findLast((decision) => decision.at < at)?.record;
    if (judged === undefined || isDeferred(records.slice(records.indexOf(judged), at), record.callId))
      return ["was started before it was decided on"];
    const isSame = record.digest === judged.action.digest;
    return [
      ...(isSame ? [] : ["was started with another action than was judged"]),
      ...(isPermitted(records, judged, at) ? [] : ["was started without permission"]),
    ];
  });
  return [...repeated, ...started];
}

/** Its decision is void: it is prepared again when its turn has come. */
function isDeferred(records: readonly JournalRecord[], callId: string): boolean {
  return records.some((record) => record.type === "tool-deferred" && record.callId === callId);
}

/** A process died: what was decided before it is judged again. */
function isRecovery({ type }: JournalRecord): boolean {
  return type === "session-recovered";
}

/** How often the journal says that the call may start again, with the reason found or chosen before. A read changes nothing. */
function restartsOf(records: readonly JournalRecord[]): number {
  const isRead = records.some((record) => record.type === "tool-decided" && record.action.effect === "read");
  return records.filter((record, at) => {
    if (record.type !== "tool-restarted") return false;
    const before = records[at - 1];
    const isProved = before?.type === "tool-probed" && before.finding.type === "untouched";
    return record.reason === "chosen" || isProved || isRead;
  }).length;
}

/** Allowed by the gatekeeper, or by a user who saw exactly this action. */
function isPermitted(records: readonly JournalRecord[], decided: Of<"tool-decided">, before: number): boolean {
  if (decided.judgement.verdict !== "ask") return decided.judgement.verdict === "allow";
  const ids = approvalsOf(records, decided.callId);
  return records
    .slice(0, before)
    .some(
      (record) =>
        record.type === "interaction-resolved" &&
        ids.includes(record.interactionId) &&
        record.answer.type === "approve" &&
        record.answer.digest === decided.action.digest,
    );
}

function wasDenied(records: readonly JournalRecord[], callId: string): boolean {
  const ids = approvalsOf(records, callId);
  return records.some(
    (record) =>
      (record.type === "tool-decided" && record.callId === callId && record.judgement.verdict === "deny") ||
      (record.type === "interaction-resolved" && ids.includes(record.interactionId) && record.answer.type === "deny"),
  );
}

function approvalsOf(records: readonly JournalRecord[], callId: string): readonly string[] {
  return records
    .flatMap((record) => (record.type === "interaction-opened" ? [record.interaction] : []))
    .flatMap(({ id, request }) => (request.type === "approval" && request.callId === callId ? [id] : []));
}

/** A tool may still refuse when it runs; a review proposal or an engine's refusal comes before the start. */
function mayFollowStart(outcome: ToolOutcome): boolean {
  return outcome.type !== "proposed";
}
