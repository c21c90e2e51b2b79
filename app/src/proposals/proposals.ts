import { type ChosenProposals, settleProposalsHere, showProposalsOf } from "@capstan/cli";
import { identityHere } from "../asking/local-origin.ts";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { withClient, withStoredSessions } from "../joining/open-client.ts";
import { sessionMeant } from "../joining/session-here.ts";
import { processStreams } from "../terminal.ts";

export interface ListFlags {
  readonly json?: boolean;
}

export interface ChoiceFlags extends ListFlags {
  readonly proposal?: readonly string[];
  readonly file?: readonly string[];
}

/** `capstan proposals list [SESSION]`. @returns 0 */
export async function listProposals(named: string | undefined, flags: ListFlags): Promise<number> {
  return await show(named, flags, false);
}

/** `capstan proposals show [SESSION]`: with differences. @returns 0, or 1 where nothing of the kind is proposed */
export async function showProposals(named: string | undefined, flags: ChoiceFlags): Promise<number> {
  return await show(named, flags, true);
}

/** `capstan proposals apply [SESSION]`. @returns 0, or 1 when there was nothing to do or a file was left alone */
export async function applyProposals(named: string | undefined, flags: ChoiceFlags & SettingsFlags): Promise<number> {
  return await settle(named, flags, "apply");
}

/** `capstan proposals refuse [SESSION]`. @returns 0, or 1 when there was nothing to do */
export async function refuseProposals(named: string | undefined, flags: ChoiceFlags & SettingsFlags): Promise<number> {
  return await settle(named, flags, "refuse");
}

async function show(named: string | undefined, flags: ChoiceFlags, withDiffs: boolean): Promise<number> {
  return await withStoredSessions(async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const asked = { id, withDiffs, json: flags.json === true, ...chosen(flags) };
    return await showProposalsOf(client, asked, identityHere("watch"), processStreams(false));
  });
}

async function settle(
  named: string | undefined,
  flags: ChoiceFlags & SettingsFlags,
  decision: "apply" | "refuse",
): Promise<number> {
  return await withClient(flags, async (client, { workspace }) => {
    const id = await sessionMeant(client, named, workspace.cwd);
    const asked = { id, decision, json: flags.json === true, ...chosen(flags) };
    return await settleProposalsHere(client, asked, identityHere("approve"), processStreams(false));
  });
}

function chosen({ proposal = [], file = [] }: ChoiceFlags): ChosenProposals {
  return { proposals: proposal, files: file, from: process.cwd() };
}
