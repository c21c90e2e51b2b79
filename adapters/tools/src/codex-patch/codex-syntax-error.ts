import { ToolRefusal } from "@capstan/protocol";

/** @param line  1-based line of the patch */
export function codexSyntaxError(line: number, problem: string, advice: string): ToolRefusal {
  return new ToolRefusal("rejected", "patch.syntax", `Patch line ${line}: ${problem}. No file was changed. ${advice}`);
}

/** A line as errors quote it. */
export function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
