import type { UserContent } from "@capstan/protocol";
import { cutMark, maxTextCharacters } from "../limits.ts";
import type { ForeignBlock, ForeignEntry } from "./foreign-session.ts";
import type { Healing } from "./healing.ts";

/** Entries without secrets in results, without overlong or ill-formed texts, and without what says nothing. */
export function clean(
  entries: readonly ForeignEntry[],
  { redact }: { readonly redact: (text: string) => string },
  healing: Healing,
): readonly ForeignEntry[] {
  const fit = (text: string): string => fitting(redact(text), healing);
  // Places count: a summary names how many entries before it are kept, so an empty one stays in its place.
  return entries.map((entry): ForeignEntry => {
    switch (entry.type) {
      case "user":
        return { ...entry, content: entry.content.flatMap((part) => cleanPart(part, fit)) };
      case "answer":
        return { ...entry, blocks: entry.blocks.flatMap((block) => cleanBlock(block, fit)) };
      case "result":
        return { ...entry, content: fit(entry.content) };
      case "summary":
        return { ...entry, text: fit(entry.text) };
    }
  });
}

function cleanPart(part: UserContent, fit: (text: string) => string): readonly UserContent[] {
  if (part.type === "media") return [part];
  const text = fit(part.text);
  return text.trim() === "" ? [] : [{ ...part, text }];
}

function cleanBlock(block: ForeignBlock, fit: (text: string) => string): readonly ForeignBlock[] {
  if (block.type === "call") return [{ ...block, name: fit(block.name) || "unnamed" }];
  const text = fit(block.text);
  return text.trim() === "" ? [] : [{ ...block, text }];
}

function fitting(text: string, healing: Healing): string {
  if (text.length <= maxTextCharacters) return text.toWellFormed();
  healing.note("overlong texts cut");
  return text.slice(0, maxTextCharacters).toWellFormed() + cutMark;
}
