import type { Interaction } from "@capstan/protocol";
import { inertLine, interactionSummary } from "@capstan/view";
import { idOnScreen } from "../id-on-screen.ts";
import type { PendingQuestion } from "../turn/run-result.ts";
import { answerCommands } from "./answer-commands.ts";

const summaryCharacters = 160;

/** What waits, and how to answer it from elsewhere. */
export function waitingLines(interaction: Interaction): readonly string[] {
  const { id, request, expiresAt } = interaction;
  const until = expiresAt === null ? "" : `, until ${new Date(expiresAt).toISOString().slice(11, 19)} UTC`;
  const [yes] = answerCommands(interaction);
  return [
    `Waiting for an answer (${request.type}${until}): ${inertLine(interactionSummary(interaction), summaryCharacters)}`,
    `  look: capstan interactions show ${id}`,
    ...(yes === undefined ? [] : [`  ${yes.about}: ${yes.command}`]),
  ];
}

/** What a parked run leaves to be answered. */
export function parkedLines(pending: readonly PendingQuestion[]): readonly string[] {
  return pending.flatMap(({ id, type, summary, command }) => [
    `  ${type}: ${summary}`,
    `    look: capstan interactions show ${id}`,
    `    answer: ${command}`,
  ]);
}

/** The same for whoever was asked at this terminal, and is again by the session's next run. */
export function parkedHereLines(pending: readonly PendingQuestion[], sessionId: string): readonly string[] {
  return [
    ...pending.map(({ type, summary }) => `  ${type}: ${summary}`),
    `Answer and continue: capstan resume ${idOnScreen(sessionId)}`,
  ];
}
