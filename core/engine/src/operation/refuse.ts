import { isKnownTurn } from "@capstan/policy";
import {
  includesRole,
  type Origin,
  type ProposedFile,
  type ResolvedSubmission,
  type Role,
  saysSomething,
  unreachable,
} from "@capstan/protocol";
import { answerProblem, neededRole } from "@capstan/policy";
import { compactionProblem } from "./change-compaction.ts";
import { openProposals, openTurnOf, pendingInteractions, type SessionState } from "@capstan/session";
import { maxQueuedTurns } from "../limits.ts";
import type { Refusal } from "../model/decision.ts";

type Of<Type extends ResolvedSubmission["type"]> = Extract<ResolvedSubmission, { readonly type: Type }>;

/** Why a submission would change nothing, as the session stands; `null`: it counts, or it is a repetition of one that did. */
export function refusalOf(
  state: SessionState,
  {
    submission,
    origin,
    role,
  }: { readonly submission: ResolvedSubmission; readonly origin: Origin; readonly role: Role },
): Refusal | null {
  const problem = roleProblem(state, submission, role);
  if (problem !== null) return problem;
  switch (submission.type) {
    case "user-input":
      return inputProblem(state, submission);
    case "run-for-user":
      return commandProblem(state, submission);
    case "cancel":
      return cancelProblem(state, submission);
    case "queue-change":
      return queueProblem(state, submission);
    case "answer":
      return unfitAnswer(state, submission, origin);
    case "change-compaction":
      return hasCounted(state, submission)
        ? null
        : (busy(state, "a change of a summary") ?? compactionProblem(state, submission));
    case "compact":
    case "rewind":
    case "unwind":
      return hasCounted(state, submission) ? null : (busy(state, submission.type) ?? nothingTaken(state, submission));
    case "settle-proposals":
      return hasCounted(state, submission)
        ? null
        : (busy(state, "settling proposals") ?? nothingProposed(state, submission));
    case "revoke-grant":
      return state.grants.some(({ id }) => id === submission.grantId)
        ? null
        : { code: "grant.unknown", reason: `this session remembers no approval ${submission.grantId}` };
    case "configure":
    case "title":
    case "resume":
      return null;
    default:
      return unreachable(submission);
  }
}

/** Why this role does not allow a submission, as the session stands; `null`: it does. */
export function roleProblem({ config }: SessionState, submission: ResolvedSubmission, role: Role): Refusal | null {
  const needed = neededRole(submission, config);
  if (needed === null) {
    return {
      code: "door.role",
      reason: "policy, sandbox, tools and the ask policy are set where Capstan starts; no client can change them",
    };
  }
  return includesRole(role, needed)
    ? null
    : { code: "door.role", reason: `this needs the role ${needed}; this client has ${role}` };
}

/** Whether it is a repetition of one that left its record. */
export function hasCounted({ submissionIds }: SessionState, submission: ResolvedSubmission): boolean {
  if (!("submissionId" in submission)) return false;
  return submission.submissionId !== undefined && submissionIds.includes(submission.submissionId);
}

function inputProblem(
  state: SessionState,
  { turnId, content, expectedTurnId, delivery }: Of<"user-input">,
): Refusal | null {
  if (isKnownTurn(state.turnIds, turnId)) return null;
  if (!content.some(saysSomething)) return { code: "input.empty", reason: "an empty message is not sent" };
  const open = openTurnOf(state)?.turnId;
  if (expectedTurnId !== undefined && open !== expectedTurnId) {
    const now = open === undefined ? "no turn is open" : `the open turn is ${open}`;
    return { code: "input.other-turn", reason: `this input was meant for turn ${expectedTurnId}, and ${now}` };
  }
  const waits = open === undefined ? state.operation.type !== "idle" : delivery !== "steer";
  return waits && state.queued.length >= maxQueuedTurns
    ? {
        code: "input.queue-full",
        reason: `${maxQueuedTurns} messages are queued already`,
        hint: "Send it when one of them has begun, or remove one of them.",
      }
    : null;
}

/** It is refused while something runs or waits, and says so: their command would meet another workspace than they see. */
function commandProblem(state: SessionState, { turnId, command }: Of<"run-for-user">): Refusal | null {
  if (isKnownTurn(state.turnIds, turnId)) return null;
  const words = "script" in command ? command.script : (command.argv[0] ?? "");
  if (words.trim() === "") return { code: "input.empty", reason: "an empty command is not run" };
  return busy(state, "a command");
}

/** To cancel a turn that has ended changes nothing, and is no mistake: it may have ended while the request was on its way. */
function cancelProblem(state: SessionState, { turnId, queued }: Of<"cancel">): Refusal | null {
  const open = openTurnOf(state)?.turnId;
  if (turnId !== undefined) {
    if (state.queued.some((waiting) => waiting.turnId === turnId)) {
      return {
        code: "input.other-turn",
        reason: `turn ${turnId} has not begun`,
        hint: "Remove it from the queue instead.",
      };
    }
    if (turnId === open || isKnownTurn(state.turnIds, turnId)) return null;
    return { code: "input.other-turn", reason: `this session has no turn ${turnId}` };
  }
  if (open !== undefined || state.operation.type === "summarizing") return null;
  return queued === "hand-back" && state.queued.length > 0
    ? null
    : { code: "input.no-turn", reason: "no turn is open" };
}

function queueProblem(state: SessionState, { turnId, change }: Of<"queue-change">): Refusal | null {
  if (!state.queued.some((waiting) => waiting.turnId === turnId)) {
    return {
      code: "queue.unknown",
      reason: `no input ${turnId} is queued: it has begun, was removed, or was never sent`,
    };
  }
  if (change.type === "replace" && !change.content.some(saysSomething)) {
    return { code: "input.empty", reason: "an empty message is not sent", hint: "Remove it instead." };
  }
  if (change.type === "move" && change.before !== null && !state.queued.some((each) => each.turnId === change.before)) {
    return { code: "queue.unknown", reason: `no input ${change.before} is queued` };
  }
  return change.type === "now" && openTurnOf(state) === null
    ? { code: "input.no-turn", reason: "no turn is open that could read it" }
    : null;
}

function unfitAnswer(state: SessionState, { interactionId, answer }: Of<"answer">, origin: Origin): Refusal | null {
  const interaction = pendingInteractions(state.operation).find(({ id }) => id === interactionId);
  if (interaction === undefined) {
    return {
      code: "interaction.settled",
      reason: `${interactionId} waits for no answer: it was settled, or never asked`,
    };
  }
  const problem = answerProblem(interaction, answer, origin, state.now);
  return problem === null ? null : { code: problem.code, reason: problem.text };
}

function busy({ operation }: SessionState, what: string): Refusal | null {
  if (operation.type === "idle") return null;
  return {
    code: "session.waiting",
    reason: `${what} needs an idle session, and something is open in this one`,
    hint: "Cancel the open turn, or wait until it ends.",
  };
}

function nothingProposed(state: SessionState, { files }: Of<"settle-proposals">): Refusal | null {
  const open = openProposals(state);
  const isOpen = (file: ProposedFile): boolean =>
    open.some(({ id, files: own }) => id === file.proposal && own.some(({ path }) => path === file.path));
  const unknown = files?.find((file) => !isOpen(file));
  if (unknown !== undefined)
    return { code: "proposals.nothing", reason: `${unknown.proposal} does not propose a change of ${unknown.path}` };
  return open.length > 0 && files?.length !== 0 ? null : { code: "proposals.nothing", reason: "nothing is proposed" };
}

function nothingTaken({ turns, rewinds }: SessionState, asked: Of<"compact" | "rewind" | "unwind">): Refusal | null {
  if (asked.type === "unwind" && rewinds.length === 0) {
    const reason = "there is nothing to bring back: no turn was taken back since the last one";
    return { code: "rewind.nothing", reason };
  }
  if (asked.type !== "rewind") return null;
  if (asked.keepTurns >= 0 && asked.keepTurns < turns.length && (asked.conversation || asked.files)) return null;
  const had = `the session has ${turns.length} turn${turns.length === 1 ? "" : "s"}`;
  return { code: "rewind.nothing", reason: `there is nothing to take back: ${had}` };
}
