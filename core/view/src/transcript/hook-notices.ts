import { inertLine, inertText } from "@capstan/patterns";
import { type HookOutcome, type HookRecord, type NoticeRecord, unreachable } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";

type Finished = Extract<HookRecord, { type: "hook-finished" }>;

/** What people are informed of hooks that ran: whatever changed something, went wrong, or had something to say. */
export function hookNotices({ event, outcomes, answer }: Finished): readonly Omit<NoticeRecord, "type">[] {
  const changed =
    answer.arguments === undefined ? [] : [notice("info", `A ${event} hook changed the call's arguments.`)];
  return [...outcomes.flatMap((outcome) => ofOutcome(event, outcome)), ...changed];
}

function ofOutcome(event: string, outcome: HookOutcome): readonly Omit<NoticeRecord, "type">[] {
  const { result, message = "" } = outcome;
  const name = `The ${event} hook ${inertLine(outcome.name, lineCharacters)}`;
  const why = message === "" ? "" : `: ${inertText(message)}`;
  switch (result) {
    case "passed":
      return message === "" ? [] : [notice("info", `${name} says${why}`)];
    case "blocked":
      return [notice("warning", `${name} refused${why}`)];
    case "failed":
      return [notice("warning", `${name} failed, and its answer does not count${why}`)];
    case "timed-out":
      return [notice("warning", `${name} did not answer in time${why}`)];
    case "not-run":
      return [notice("warning", `${name} was not run${why}`)];
    case "unknown":
      return [notice("warning", `${name} was running when the process died; it is not run again.`)];
    case "cancelled":
      return [notice("info", `${name} was stopped with its turn.`)];
    case "skipped":
      return [];
    default:
      return unreachable(result);
  }
}

function notice(level: NoticeRecord["level"], text: string): Omit<NoticeRecord, "type"> {
  return { level, code: "hook.said", text };
}
