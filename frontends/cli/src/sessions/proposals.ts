import { isAbsolute, join, relative } from "node:path";
import { kindOfEffect, type ProposedChange, proposedChanges } from "@capstan/client";
import type { ClientIdentity, EngineClient, SessionEvent, SessionId, SessionSnapshot } from "@capstan/protocol";
import { inertLine, inertText, jsonLine } from "@capstan/view";
import type { Streams } from "../output.ts";
import { createProgress } from "../progress.ts";
import { refusalLine } from "./refusal-line.ts";

/** Which proposed files are meant; without names all are. Paths are absolute or relative to `from`. */
export interface ChosenProposals {
  readonly proposals: readonly string[];
  readonly files: readonly string[];
  readonly from: string;
}

const shownCharacters = 300;

/**
 * Shows what a session proposes, file by file.
 * @returns the exit code: 1 where something was named and nothing of it is proposed
 */
export async function showProposalsOf(
  client: EngineClient,
  asked: ChosenProposals & { readonly id: SessionId; readonly withDiffs: boolean; readonly json: boolean },
  identity: ClientIdentity,
  { result, progress }: Streams,
): Promise<number> {
  const { snapshot, files } = await proposedOf(client, asked, identity);
  for (const file of files) {
    if (asked.json) result.write(`${jsonLine(asObject(file))}\n`);
    else for (const line of linesOf(file, snapshot.workspace.cwd, asked.withDiffs)) result.write(`${line}\n`);
  }
  if (files.length > 0) return 0;
  const isAll = asked.proposals.length + asked.files.length === 0;
  progress.write(isAll ? "This session proposes nothing.\n" : "Nothing of that is proposed.\n");
  return isAll ? 0 : 1;
}

/**
 * Applies or refuses what a session proposes.
 * @returns the exit code: 0, or 1 when there was nothing to do or a file was left alone
 */
export async function settleProposalsHere(
  client: EngineClient,
  asked: ChosenProposals & { readonly id: SessionId; readonly decision: "apply" | "refuse"; readonly json: boolean },
  identity: ClientIdentity,
  { result, progress }: Streams,
): Promise<number> {
  const { id, decision, json } = asked;
  const { files } = await proposedOf(client, asked, identity);
  const isAll = asked.proposals.length + asked.files.length === 0;
  const chosen = files.map(({ proposal, effect }) => ({ proposal: proposal.id, path: effect.path }));
  const request = { decision, ...(isAll ? {} : { files: chosen }) };
  const { receipt, events } = await client.sessions.settleProposals(id, request, identity);
  const show = createProgress();
  for (const event of events) {
    if (json) result.write(`${jsonLine({ ...event.record, seq: event.seq, at: event.at })}\n`);
    else for (const { text } of show(event)) result.write(`${text}\n`);
  }
  if (receipt.type === "refused") progress.write(`${refusalLine(receipt)}\n`);
  return events.some(isWhole) ? 0 : 1;
}

function isWhole({ record }: SessionEvent): boolean {
  return record.type === "proposals-refused" || (record.type === "proposals-applied" && record.conflicts.length === 0);
}

async function proposedOf(
  client: EngineClient,
  { id, proposals, files, from }: ChosenProposals & { readonly id: SessionId },
  identity: ClientIdentity,
): Promise<{ readonly snapshot: SessionSnapshot; readonly files: readonly ProposedChange[] }> {
  const session = await client.open({ type: "resume", id }, { identity, purpose: "watch", resume: "wait" });
  const snapshot = await session.snapshot();
  await session.close();
  const named = new Set(files.map((path) => (isAbsolute(path) ? path : join(from, path))));
  const found = await proposedChanges(client.sessions, id, snapshot);
  const isMeant = ({ proposal, effect }: ProposedChange): boolean =>
    (proposals.length === 0 || proposals.includes(proposal.id)) && (named.size === 0 || named.has(effect.path));
  return { snapshot, files: found.filter(isMeant) };
}

function asObject({ proposal, effect, change }: ProposedChange): object {
  const { id, turnId, callId, summary } = proposal;
  const { path } = effect;
  const shown =
    change === undefined ? {} : { addedLines: change.addedLines, removedLines: change.removedLines, diff: change.diff };
  return { proposal: id, turnId, callId, summary, path, kind: kindOfEffect(effect), ...shown };
}

function linesOf({ proposal, effect, change }: ProposedChange, cwd: string, withDiffs: boolean): readonly string[] {
  const inside = relative(cwd, effect.path);
  const path = inertLine(inside.startsWith("..") ? effect.path : inside, shownCharacters);
  const counts = change === undefined ? "" : ` +${change.addedLines} −${change.removedLines}`;
  const head = `${proposal.id}  ${kindOfEffect(effect)}  ${path}${counts}  (${inertLine(proposal.summary, shownCharacters)})`;
  if (!withDiffs) return [head];
  return [head, ...(change?.diff === undefined ? [] : inertText(change.diff).trimEnd().split("\n"))];
}
