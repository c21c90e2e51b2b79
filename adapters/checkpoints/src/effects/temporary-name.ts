import { randomBytes } from "node:crypto";

/** A name nobody can guess for a file that stands in for another for a moment; it names the process that made it. */
export function temporaryName(kind: "new" | "old"): string {
  return `.capstan-apply-${process.pid}-${randomBytes(12).toString("hex")}.${kind}`;
}

/** Which process made a temporary name; `undefined` for any other name. */
export function makerOf(name: string): number | undefined {
  const [, pid] = /^\.capstan-apply-(\d{1,10})-[0-9a-f]{24}\.(?:new|old)$/.exec(name) ?? [];
  return pid === undefined ? undefined : Number(pid);
}
