import { inertLine } from "@capstan/patterns";
import { type InteractionRecord, unreachable } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";
import type { Resolution } from "./cell.ts";
import { shownOrigin } from "./shown.ts";
import { changeCell, nextCell, type Transcript, withCell, withWork } from "./transcript.ts";

type Record = Exclude<InteractionRecord, { type: "call-edited" }>;

export function reduceInteraction(transcript: Transcript, record: Record, at: number): Transcript {
  switch (record.type) {
    case "interaction-opened": {
      const { interaction, turnId } = record;
      const { interactions } = transcript.work;
      const opened = { id: interaction.id, cell: nextCell(transcript) };
      const waiting = withWork(transcript, { interactions: [...interactions, opened] });
      return withCell(waiting, { type: "interaction", at, isFinal: false, turnId, interaction, resolution: null });
    }
    case "interaction-resolved": {
      const { interactionId, answer, origin } = record;
      return resolve(transcript, interactionId, { answer, by: shownOrigin(origin), at });
    }
    case "grant-added": {
      const { scope, rule } = record.grant;
      const change = { type: "added", scope, rule: inertLine(rule.text, lineCharacters) } as const;
      return withCell(transcript, { type: "grant", at, isFinal: true, change });
    }
    case "grant-revoked": {
      const change = { type: "revoked", grantId: inertLine(record.grantId, lineCharacters) } as const;
      return withCell(transcript, { type: "grant", at, isFinal: true, change });
    }
    default:
      return unreachable(record);
  }
}

/** The first resolution counts; another one changes nothing. */
function resolve(transcript: Transcript, interactionId: string, resolution: Resolution): Transcript {
  const { interactions } = transcript.work;
  const found = interactions.find(({ id }) => id === interactionId);
  if (found === undefined) return transcript;
  const rest = withWork(transcript, { interactions: interactions.filter((waiting) => waiting !== found) });
  return changeCell(rest, found.cell, (cell) =>
    cell.type === "interaction" ? { ...cell, isFinal: true, resolution } : cell,
  );
}
