import * as cli from "@capstan/cli";
import { onStopSignal, processStreams, screenWidth, wantsColors } from "../terminal.ts";
import { identityHere } from "./local-origin.ts";
import { withStoredSessions } from "../joining/open-client.ts";

type After<Command extends (context: cli.CommandContext, ...rest: never[]) => Promise<number>> =
  Parameters<Command> extends [cli.CommandContext, ...infer Rest] ? Rest : never;

export function listInteractions(...args: After<typeof cli.listInteractions>): Promise<number> {
  return inContext((context) => cli.listInteractions(context, ...args));
}

export function showInteraction(...args: After<typeof cli.showInteraction>): Promise<number> {
  return inContext((context) => cli.showInteraction(context, ...args));
}

export function answerInteractions(...args: After<typeof cli.answerInteractions>): Promise<number> {
  return inContext((context) => cli.answerInteractions(context, ...args));
}

/** Ends with a signal, which is how it is meant to end. */
export async function watchInteractions(flags: { readonly json?: boolean }): Promise<number> {
  const stopping = new AbortController();
  const stopListening = onStopSignal(() => stopping.abort());
  try {
    return await inContext((context) => cli.watchInteractions(context, flags, stopping.signal));
  } finally {
    stopListening();
  }
}

export function listGrants(...args: After<typeof cli.listGrants>): Promise<number> {
  return inContext((context) => cli.listGrants(context, ...args));
}

export function showGrant(...args: After<typeof cli.showGrant>): Promise<number> {
  return inContext((context) => cli.showGrant(context, ...args));
}

export function revokeGrants(...args: After<typeof cli.revokeGrants>): Promise<number> {
  return inContext((context) => cli.revokeGrants(context, ...args));
}

export async function listFacts(words: readonly string[], flags: cli.ListFactsFlags): Promise<number> {
  return await inContext((context, cwd) => cli.listFacts(context, words, { ...flags, cwd }));
}

export function showFact(...args: After<typeof cli.showFact>): Promise<number> {
  return inContext((context) => cli.showFact(context, ...args));
}

export async function addFact(
  words: readonly string[],
  flags: { readonly user?: boolean; readonly json?: boolean },
): Promise<number> {
  return await inContext((context, cwd) => cli.addFact(context, words, { ...flags, cwd }));
}

export function editFact(...args: After<typeof cli.editFact>): Promise<number> {
  return inContext((context) => cli.editFact(context, ...args));
}

export function deleteFacts(...args: After<typeof cli.deleteFacts>): Promise<number> {
  return inContext((context) => cli.deleteFacts(context, ...args));
}

/** @param work  `cwd`: the folder this process was started for */
function inContext(work: (context: cli.CommandContext, cwd: string) => Promise<number>): Promise<number> {
  const streams = { ...processStreams(false), colors: wantsColors(process.stdout), ...screenWidth() };
  return withStoredSessions((client, { workspace }) =>
    work({ client, identity: identityHere("operate"), streams }, workspace.cwd),
  );
}
