import { statSync } from "node:fs";
import { join } from "node:path";
import type { NoticeRecord } from "@capstan/protocol";
import { distrust, quotePath } from "@capstan/settings";
import { instructionNames } from "@capstan/trust";
import { ownInstructionsName } from "./instruction-file.ts";

/** Says why the user's own instructions are left out: what somebody else could have written is not theirs. */
export function ownInstructionsNotice(home: string): readonly Omit<NoticeRecord, "type">[] {
  return instructionNames(home, [ownInstructionsName]).flatMap((name) => {
    const path = join(home, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    const reason = stats?.isFile() === true ? distrust(stats) : undefined;
    if (reason === undefined) return [];
    const text = `Your own instructions in ${quotePath(path)} are left out: ${reason}.`;
    return [{ level: "warning", code: "trust.refused", text }] as const;
  });
}
