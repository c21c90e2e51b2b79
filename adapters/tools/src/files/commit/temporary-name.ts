import { randomBytes } from "node:crypto";

/** A name nobody can guess for a file that stands in for another for a moment; it names the process that made it. */
export function temporaryName(kind: "new" | "old"): string {
  return `.capstan-${process.pid}-${randomBytes(12).toString("hex")}.${kind}`;
}

/** What a temporary name says; `undefined` for any other name. */
export function readTemporaryName(name: string): { readonly pid: number; readonly kind: "new" | "old" } | undefined {
  const [, pid, kind] = /^\.capstan-(\d{1,10})-[0-9a-f]{24}\.(new|old)$/.exec(name) ?? [];
  if (pid === undefined) return undefined;
  return { pid: Number(pid), kind: kind === "new" ? "new" : "old" };
}
