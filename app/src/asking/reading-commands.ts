import * as cli from "@capstan/cli";
import { dataDirectory, openReader } from "@capstan/host";
import { reportProblem } from "../report-error.ts";
import { onStopSignal, processStreams, wantsColors } from "../terminal.ts";
import { version } from "../version.ts";
import { identityHere } from "./person-here.ts";

type After<Command extends (context: cli.CommandContext, ...rest: never[]) => Promise<number>> =
  Parameters<Command> extends [cli.CommandContext, ...infer Rest] ? Rest : never;

export function listInteractions(...args: After<typeof cli.listInteractions>): Promise<number> {
  return withReader((context) => cli.listInteractions(context, ...args));
}

export function showInteraction(...args: After<typeof cli.showInteraction>): Promise<number> {
  return withReader((context) => cli.showInteraction(context, ...args));
}

export function answerInteractions(...args: After<typeof cli.answerInteractions>): Promise<number> {
  return withReader((context) => cli.answerInteractions(context, ...args));
}

/** Ends with a signal, which is how it is meant to end. */
export async function watchInteractions(flags: { readonly json?: boolean }): Promise<number> {
  const stopping = new AbortController();
  const stopListening = onStopSignal(() => stopping.abort());
  try {
    return await withReader((context) => cli.watchInteractions(context, flags, stopping.signal));
  } finally {
    stopListening();
  }
}

export function listGrants(...args: After<typeof cli.listGrants>): Promise<number> {
  return withReader((context) => cli.listGrants(context, ...args));
}

export function showGrant(...args: After<typeof cli.showGrant>): Promise<number> {
  return withReader((context) => cli.showGrant(context, ...args));
}

export function revokeGrants(...args: After<typeof cli.revokeGrants>): Promise<number> {
  return withReader((context) => cli.revokeGrants(context, ...args));
}

/** The client API, for as long as the work takes, in a process that runs nothing: no configuration is read. */
async function withReader(work: (context: cli.CommandContext) => Promise<number>): Promise<number> {
  const home = dataDirectory(process.env);
  const client = await openReader({ home, env: process.env, version, report: reportProblem });
  const streams = { ...processStreams(false), colors: wantsColors(process.stdout) };
  try {
    return await work({ client, identity: identityHere("operate"), streams });
  } finally {
    await client.close();
  }
}
