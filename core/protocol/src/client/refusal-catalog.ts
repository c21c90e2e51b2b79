import type { ErrorCode } from "../error-catalog.ts";

/** Refusals that are no errors of a command. */
type OwnCode =
  | "input.empty"
  | "input.queue-full"
  | "input.other-turn"
  | "input.no-turn"
  | "queue.unknown"
  | "settings.invalid"
  | "session.waiting"
  | "session.closed"
  | "rewind.nothing"
  | "proposals.nothing"
  | "compaction.unknown"
  | "compaction.unchanged"
  | "compaction.no-room"
  | "grant.unknown";

/** Why a submission changed nothing: stable, as the error codes are, of which some are reasons too. */
export type RefusalCode = OwnCode | Extract<ErrorCode, `door.${string}` | `interaction.${string}` | "session.busy">;

/** What the door turns away before it is looked at. */
export type DoorCode = Extract<ErrorCode, `door.${string}`>;

export function isDoorCode(code: string): code is DoorCode {
  return code.startsWith("door.");
}

/** The refusals' own codes with their meaning and what to do; docs/reference/errors.md is made from it. */
export const refusalCatalog: Readonly<Record<OwnCode, { readonly about: string; readonly action: string }>> = {
  "input.empty": { about: "The message is empty.", action: "Write something, or remove the waiting message." },
  "input.queue-full": {
    about: "The queue is full.",
    action: "Wait until a turn ends, or remove a waiting message.",
  },
  "input.other-turn": {
    about: "The submission was meant for another turn than the one that is open.",
    action: "Look at the session again, then name the turn that is open.",
  },
  "input.no-turn": { about: "No turn is open.", action: "Nothing changes; send the message without naming a turn." },
  "queue.unknown": {
    about: "No such message is queued: it has begun, was removed, or was never sent.",
    action: "List the queue again.",
  },
  "settings.invalid": {
    about: "A setting's value is not valid where the engine runs.",
    action: "Correct the setting that the message names.",
  },
  "session.waiting": {
    about: "The submission needs an idle session, and something is open.",
    action: "Cancel the open turn, or wait until it ends.",
  },
  "session.closed": { about: "The session was closed.", action: "Open it again." },
  "rewind.nothing": {
    about: "There is no turn to take back, or none to bring back.",
    action: "Look at the session's turns again.",
  },
  "proposals.nothing": {
    about: "No such change is proposed: it was applied or refused, or never proposed.",
    action: "List what is proposed: `capstan proposals list`.",
  },
  "compaction.unknown": {
    about: "The session has no such summary.",
    action: "List its summaries: `capstan context compactions`.",
  },
  "compaction.unchanged": {
    about: "The summary is shown to the model already, or is not what it is shown.",
    action: "Look at what it is shown: `capstan context show`.",
  },
  "compaction.no-room": {
    about: "What would be shown does not fit the model's window, so that a summary would be needed again at once.",
    action: "Change the summary's words instead, or choose a model with a larger window.",
  },
  "grant.unknown": {
    about: "The session remembers no such approval.",
    action: "List the approvals again.",
  },
};
