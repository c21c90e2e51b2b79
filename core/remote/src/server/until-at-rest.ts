import { type Activity, type SessionClient, unreachable } from "@capstan/protocol";

/** What of a session says whether it is at rest. */
export type Watched = Pick<SessionClient, "snapshot" | "attach">;

/** Resolves when nothing runs in the session, or it waits for a user. @returns the number of the last record by then */
export async function untilAtRest(client: Watched): Promise<number> {
  let { seq, activity } = await client.snapshot();
  if (isAtRest(activity)) return seq;
  for await (const frame of client.attach(seq)) {
    if (frame.type === "closed") break;
    if (frame.type !== "record" || !mayEnd.has(frame.event.record.type)) continue;
    ({ seq, activity } = await client.snapshot());
    if (isAtRest(activity)) break;
  }
  return seq;
}

/** Records after which a session may be at rest. */
const mayEnd: ReadonlySet<string> = new Set([
  "turn-ended",
  "interaction-opened",
  "rewind-finished",
  "proposals-applied",
]);

function isAtRest(activity: Activity): boolean {
  switch (activity.type) {
    case "idle":
    case "awaiting-approval":
    case "awaiting-user":
    case "recovery":
      return true;
    case "preparing":
    case "streaming":
    case "retrying":
    case "executing":
    case "summarizing":
    case "compacting":
    case "rewinding":
    case "applying":
      return false;
    default:
      return unreachable(activity);
  }
}
