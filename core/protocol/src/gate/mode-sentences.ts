import type { PermissionMode } from "./policy.ts";

/** What each mode means, in one sentence: README, help and `policy explain` say it in these words, and the gatekeeper keeps to it. */
export const modeSentences: Readonly<Record<PermissionMode, string>> = {
  plan: "reads only; commands run in a sandbox that can only read and has no network.",
  default:
    "nothing of yours changes without permission, by whatever tool; commands run unasked in a sandbox whose workspace is read-only but for existing build folders.",
  "accept-edits": "files and sandboxed commands change the workspace; leaving the sandbox is asked.",
  auto: "what stays inside workspace and sandbox runs unasked, also where approval is strict; leaving them is decided by rules, and asked only where none speaks.",
};
