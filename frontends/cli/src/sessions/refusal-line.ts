import type { Receipt } from "@capstan/protocol";
import { inertText } from "@capstan/view";

/** Why a submission changed nothing, as a line for people. */
export function refusalLine({ code, reason, hint }: Extract<Receipt, { type: "refused" }>): string {
  return inertText(`capstan: nothing changed: ${reason} [${code}]${hint === undefined ? "" : `. ${hint}`}`);
}
