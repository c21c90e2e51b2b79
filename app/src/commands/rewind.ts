import { rewindHere } from "@capstan/cli";
import { AppError, type RewindRequest } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { identityHere } from "../asking/local-origin.ts";
import { withClient } from "../joining/open-client.ts";
import { sessionMeant } from "../joining/session-here.ts";
import { processStreams } from "../terminal.ts";

export interface RewindFlags extends SettingsFlags {
  readonly to?: string;
  readonly code?: boolean;
  readonly conversation?: boolean;
  readonly both?: boolean;
  readonly json?: boolean;
}

/** `capstan sessions rewind ID`: back to the end of an earlier turn. */
export async function rewindTo(idOrPrefix: string, flags: RewindFlags): Promise<number> {
  const what = [flags.code, flags.conversation, flags.both].filter((flag) => flag === true);
  if (what.length > 1) throw new AppError("usage.invalid", "--code, --conversation and --both exclude each other");
  const request: RewindRequest = {
    type: "back",
    conversation: flags.code !== true,
    files: flags.conversation !== true,
    ...(flags.to === undefined ? {} : { keepTurns: turnNumber(flags.to) }),
  };
  return await change(idOrPrefix, request, flags);
}

/** `capstan undo [SESSION]`: the last turn, its words and what it did to files. */
export async function undoTurn(named: string | undefined, flags: RewindFlags): Promise<number> {
  return await change(named, { type: "back", conversation: true, files: true }, flags);
}

/** `capstan redo [SESSION]`: what was taken back last. */
export async function redoTurn(named: string | undefined, flags: RewindFlags): Promise<number> {
  return await change(named, { type: "forth" }, flags);
}

/** @returns 0, or 1 when there was nothing to do or a file was left alone */
async function change(named: string | undefined, request: RewindRequest, flags: RewindFlags): Promise<number> {
  return await withClient(flags, async (client, { workspace }) => {
    const id = await sessionMeant(client, named, workspace.cwd);
    const json = flags.json === true;
    return await rewindHere(client, { id, request, json }, identityHere("operate"), processStreams(false));
  });
}

function turnNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `--to takes the number of a turn, or 0, not ${JSON.stringify(text)}`, {
    hint: "`capstan sessions show ID` numbers the turns.",
  });
}
