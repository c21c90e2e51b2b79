import { interactionLines, type ProgressLine } from "@capstan/view";
import type { Asked } from "./card-choices.ts";

/** Everything that a user needs to decide, line by line. @param now  ms since 1970 */
export function askedLines(asked: Asked, now: number): readonly ProgressLine[] {
  return "openedAt" in asked ? interactionLines(asked, now) : asked.request.lines;
}
