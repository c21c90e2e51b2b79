import type { KnownFact } from "@capstan/protocol";

/** A fact as a model reads it: when it was learned and from whom, whether it may be out of date, and its words. */
export function factLine({ text, kind, by, at, isStale, scope }: KnownFact): string {
  const day = new Date(at).toISOString().slice(0, 10);
  const where = scope === "user" ? ["for all work of the user"] : scope === "session" ? ["this session"] : [];
  const stale = isStale ? ["may be out of date: a file it speaks of has changed since"] : [];
  const from = by === "model" ? "noted by the model" : kind === "code-state" ? "change" : "said by the user";
  return `- [${[kindWord(kind), day, from, ...where, ...stale].join(" · ")}] ${text}`;
}

function kindWord(kind: KnownFact["kind"]): string {
  return kind === "code-state" ? "file" : kind;
}
