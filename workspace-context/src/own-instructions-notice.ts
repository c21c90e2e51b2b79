import { statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, type NoticeRecord } from "@capstan/protocol";
import { distrust, quotePath } from "@capstan/settings";
import { instructionNames } from "@capstan/trust";
import { ownInstructionsName } from "./instruction-file.ts";

/** Says why the user's own instructions are left out: what somebody else could have written is not theirs. */
export function ownInstructionsNotice(home: string): readonly Omit<NoticeRecord, "type">[] {
  return instructionNames(home, [ownInstructionsName]).flatMap((name) => {
    const path = join(home, name);
    const reason = reasonToLeaveOut(path);
    if (reason === undefined) return [];
    const text = `Your own instructions in ${quotePath(path)} are left out: ${reason}.`;
    return [{ level: "warning", code: "trust.refused", text }] as const;
  });
}

function reasonToLeaveOut(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? distrust(stats) : undefined;
  } catch (error) {
    // A link in a circle, through a file, or into a folder that the user may not enter.
    return messageOf(error);
  }
}
