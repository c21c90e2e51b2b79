import { AppError, type Draft } from "@capstan/protocol";
import { maxDraftCharacters } from "./limits.ts";

/** @throws {AppError} `usage.invalid` for a draft that is too long to be kept */
export function assertDraftFits(draft: Draft | null): void {
  if (draft === null || draft.text.length <= maxDraftCharacters) return;
  throw new AppError(
    "usage.invalid",
    `the draft has ${draft.text.length} characters; drafts of up to ${maxDraftCharacters} are kept`,
    { hint: "Send it, or put the text into a file of the workspace." },
  );
}
