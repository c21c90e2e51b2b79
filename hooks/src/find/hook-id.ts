import { createHash } from "node:crypto";
import type { HookEntry, HookEvent } from "@capstan/protocol";
import type { HookWork } from "../found-hook.ts";

/** A hook as decisions know it: another program, or another place, is another hook. */
export function entryOf(
  event: HookEvent,
  work: HookWork,
  { matcher, name, by }: Pick<HookEntry, "matcher" | "name" | "by">,
): HookEntry {
  const text = JSON.stringify([event, matcher, name, by, work]);
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { id, event, matcher, name, by };
}
