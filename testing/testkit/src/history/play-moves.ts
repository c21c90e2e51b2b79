import type { PendingCall } from "@capstan/session";
import { hookPoint } from "@capstan/hook-points";
import { type Interaction, unreachable } from "@capstan/protocol";
import { begin, type Played, playOn } from "../play.ts";
import { configVariant } from "./config-variants.ts";
import { hasCause, underWay } from "./has-cause.ts";
import type { Move, Word } from "./moves.ts";
import { toStimulus } from "./to-stimulus.ts";

/** Plays a random history. Where a move is `null`, what the session waits for happens. */
export function playMoves(moves: readonly (Move | null)[], variant: number): Played {
  let played = begin(configVariant(variant));
  for (const [at, move] of moves.entries()) {
    const chosen = move ?? expectedMove(played, at);
    const history = played.moves.map(({ stimulus }) => stimulus);
    played = playOn(played, toStimulus(played.state, chosen, history));
  }
  return played;
}

/**
 * Continues until the session is idle, as a patient world would have it: users answer what they are asked, and what is under way ends. A session
 * that waits for something that nobody was asked to do is reported, and so is one that never rests.
 */
export function playToRest(played: Played, limitMoves: number): Played {
  let resting = played;
  for (let count = 0; resting.state.operation.type !== "idle"; count += 1) {
    if (count >= limitMoves) throw new Error(`still ${resting.state.operation.type} after ${limitMoves} moves`);
    const stimulus = toStimulus(resting.state, nextMove(resting, restful), []);
    if (!hasCause(stimulus, underWay(resting)))
      throw new Error(`it is ${resting.state.operation.type}, and nothing is under way that leads to ${stimulus.type}`);
    resting = playOn(resting, stimulus);
  }
  return resting;
}

const restful: Move = { type: "complete", text: "done", thinking: "", calls: [], reason: "stop" };

/** Every third answer makes calls, so that histories have batches in them. */
function expectedMove(played: Played, at: number): Move {
  if (played.state.operation.type === "idle") {
    const content = [{ type: "text", text: `request ${at}` }] as const;
    return { type: "say", turn: 100 + at, content, steer: false, role: "operate" };
  }
  // Every second batch has calls that concern the session between the others.
  const tools = at % 2 === 0 ? ["look", "look", "change", "act"] : ["note", "look", "present", "ask"];
  const calls = tools.map((tool, index) => ({
    id: `call_${at}_${index}`,
    tool,
    path: `${at}.txt`,
    malformed: false,
  }));
  const { background } = played.state;
  if (background !== null && at % 7 === 4) return { type: "summary", end: background.waiting ? "ticks" : "writes" };
  const calling: Move = {
    type: "complete",
    text: "",
    thinking: "what next",
    calls: calls.slice(at % 2, 2 + (at % 3)),
    reason: "tool-calls",
  };
  return nextMove(played, at % 3 === 0 ? restful : calling);
}

function isInterrupted(pending: PendingCall): boolean {
  return pending.type === "running" && pending.interrupted;
}

/** What a crash left is looked at, unless a user has just chosen to take it back. */
function settling({ effects }: Played["last"]): Move {
  const isUndone = effects.some((effect) => effect.type === "restore-files");
  return isUndone ? { type: "restore", conflict: false } : { type: "probe", findings: [] };
}

/** New, or decided on in a journal that was cut before the question was asked. */
function isUndecided(pending: PendingCall): boolean {
  return pending.type === "new" || (pending.type === "asking" && pending.interaction === null);
}

function fittingWord(interaction: Interaction | null): Word {
  switch (interaction?.request.type) {
    case "question":
      return "reply";
    case "plan-review":
      return "proceed";
    default:
      return "approve";
  }
}

const preparing: Move = { type: "prepare", refused: "no", again: false };

function nextMove({ state, last }: Played, whole: Move): Move {
  const { operation, hooks } = state;
  const asked = (hooks?.open ?? []).findIndex(({ event }) => hookPoint(event).before !== undefined);
  if (asked !== -1) return { type: "hooks", which: asked, answer: {} };
  switch (operation.type) {
    case "idle":
      return { type: "compact" };
    case "preparing":
      return { type: "pack", facts: { date: "today" } };
    case "streaming":
      return operation.step.waiting ? { type: "tick", deadline: false } : whole;
    case "summarizing":
    case "compacting":
      return operation.waiting ? { type: "tick", deadline: false } : restful;
    case "interaction":
      return { type: "answer", which: 0, answer: "stop" };
    case "rewinding":
    case "applying":
      return { type: "restore", conflict: false };
    case "recovery":
      return { type: "answer", which: 0, answer: "tell-model" };
    case "tool-loop": {
      const has = (type: string): boolean => operation.batch.calls.some((pending) => pending.type === type);
      if (operation.batch.calls.some((pending) => isUndecided(pending))) return preparing;
      const question = operation.batch.calls.find((pending) => pending.type === "asking");
      if (question?.type === "asking") return { type: "answer", which: 0, answer: fittingWord(question.interaction) };
      if (operation.batch.calls.some((pending) => isInterrupted(pending))) return settling(last);
      if (has("running")) return { type: "end", which: 0, outcome: { type: "done", content: "fine" } };
      // A call that waited for those before it is made ready now; one behind it that is allowed waits for it.
      const isPreparing = last.effects.some(({ type }) => type === "prepare-actions");
      return has("allowed") && !isPreparing ? { type: "stage" } : preparing;
    }
    default:
      return unreachable(operation);
  }
}
