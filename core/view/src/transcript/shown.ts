import { type FileChange, isJsonObject, type JsonValue, type Origin, type UserContent } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/patterns";
import { lineCharacters } from "../limits.ts";
import type { Words } from "./cell.ts";

/** What a user put into a turn, inert. */
export function shownWords(content: readonly UserContent[]): readonly Words[] {
  return content.map((part): Words => {
    if (part.type === "text") return { type: "text", text: inertText(part.text) };
    const { mediaType, name, data } = part;
    const named = name === undefined ? {} : { name: inertLine(name, lineCharacters) };
    return { type: "media", mediaType: inertLine(mediaType, lineCharacters), ...named, bytes: bytesOf(data) };
  });
}

/** Of base64: three for four characters. */
function bytesOf(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

export function shownOrigin({ frontend, user }: Origin): Origin {
  const named = user === undefined ? {} : { user: inertLine(user, lineCharacters) };
  return { frontend: inertLine(frontend, lineCharacters), ...named };
}

export function shownChange({ path, diff, ...rest }: FileChange): FileChange {
  return { path: inertLine(path, lineCharacters), ...rest, ...(diff === undefined ? {} : { diff: inertText(diff) }) };
}

/** How a command ended, as its tool reports it in the details of the result. */
export interface CommandDetails {
  readonly exitCode?: number | null;
  readonly signal?: string;
  readonly runsLater: readonly string[];
  readonly quarantined: readonly string[];
}

export function commandDetails(details: JsonValue | undefined): CommandDetails {
  if (!isJsonObject(details)) return { runsLater: [], quarantined: [] };
  const { exitCode, signal, runsLater, quarantined } = details;
  return {
    ...(typeof exitCode === "number" || exitCode === null ? { exitCode } : {}),
    ...(typeof signal === "string" ? { signal: inertLine(signal, lineCharacters) } : {}),
    runsLater: textsIn(runsLater),
    quarantined: textsIn(quarantined),
  };
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  const texts = Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
  return texts.map((text) => inertLine(text, lineCharacters));
}
