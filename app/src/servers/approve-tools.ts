import { prepareDataDirectory, type Settings } from "@capstan/host";
import { approveTools, type ChangedTools, changedTools, type NamedServer } from "@capstan/mcp-servers";
import type { JsonValue } from "@capstan/protocol";
import { visibleText } from "../visible-text.ts";
import { tryServer } from "./try-server.ts";

export interface ApproveFlags {
  readonly digest?: string;
  readonly json?: boolean;
}

/** Starts the server, shows what its tools say that they did not say before, and takes it where the user has named exactly that. */
export async function approveServer(server: NamedServer, settings: Settings, flags: ApproveFlags): Promise<number> {
  const data = await prepareDataDirectory(settings.home);
  const { works, problems } = await tryServer(settings, server.name);
  const changed = await changedTools(server, settings, data);
  const isTaken = flags.digest !== undefined && (await approveTools(server, settings, { data, digest: flags.digest }));
  if (flags.json === true) {
    print(JSON.stringify({ name: server.name, works, changed, taken: isTaken }));
    return isTaken || (works && changed === null) ? 0 : 1;
  }
  if (!works) for (const problem of problems) print(visibleText(problem));
  if (changed !== null) {
    for (const line of changeLines(changed)) print(visibleText(line));
    print(closingLine(server.name, changed, { isTaken, given: flags.digest }));
    return isTaken ? 0 : 1;
  }
  if (works) print(`Every tool of ${server.name} says what it said when you first had it.`);
  return works ? 0 : 1;
}

function changeLines({ tools }: ChangedTools): readonly string[] {
  return tools.flatMap(({ name, parts }) =>
    parts.flatMap(({ part, before, now }) => [
      `${name}: ${part}`,
      ...differences(before, now).map((line) => `  ${line}`),
    ]),
  );
}

function closingLine(
  name: string,
  { digest, tools }: ChangedTools,
  { isTaken, given }: { readonly isTaken: boolean; readonly given: string | undefined },
): string {
  if (isTaken) return `Taken. Sessions that are opened from now on have them: ${tools.length}.`;
  const how = `capstan mcp approve ${name} --digest ${digest}`;
  if (given === undefined) return `To take them as they are: ${how}`;
  return `Not taken: this is not what ${visibleText(given)} stands for. To take it: ${how}`;
}

/** The lines that went and came; all lines around them are the same. */
function differences(before: JsonValue | undefined, now: JsonValue): readonly string[] {
  const after = linesOf(now);
  if (before === undefined) return ["(what it said before was not kept)", ...after.map((line) => `+ ${line}`)];
  const old = linesOf(before);
  const shorter = Math.min(old.length, after.length);
  let start = 0;
  while (start < shorter && old[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];
}

function linesOf(value: JsonValue): readonly string[] {
  if (value === null) return [];
  return (typeof value === "string" ? value : JSON.stringify(value, null, 2)).split("\n");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
