import type { ClientIdentity, EngineClient, ImportReport, SessionFile } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import type { Output } from "../output.ts";

/** Stores the session of a file, and says what that brought. @returns the exit code */
export async function importFile(
  client: EngineClient,
  file: SessionFile,
  identity: ClientIdentity,
  { result, json }: { readonly result: Output; readonly json: boolean },
): Promise<number> {
  const report = await client.sessions.import(file, identity);
  const lines = json ? [JSON.stringify(report)] : summaryOf(report).map(inertText);
  for (const line of lines) result.write(`${line}\n`);
  return 0;
}

function summaryOf({ sessionId, agent, foreignId, turns, calls, healed, notes }: ImportReport): readonly string[] {
  const from = foreignId === "" ? agent : `${agent} ${foreignId}`;
  return [
    `Imported as ${sessionId} (from ${from}): ${counted(turns, "turn")}, ${counted(calls, "tool call")}.`,
    ...Object.entries(healed).map(([what, count]) => `  ${count} × ${what}`),
    ...notes.map((note) => `  ${note}`),
    `Resume with: capstan run --resume ${sessionId} "…"`,
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
