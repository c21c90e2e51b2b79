import { contextLines } from "@capstan/cli";
import { contextReport, dataDirectory, openArchive } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { sessionMeant } from "../joining/session-here.ts";
import { screenWidth } from "../terminal.ts";

export interface ContextFlags {
  readonly json?: boolean;
}

/** `capstan context show [SESSION]`: what the model is shown, how much room it takes, and what stands in for older messages. */
export async function showContext(named: string | undefined, flags: ContextFlags): Promise<number> {
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const id = await sessionMeant({ sessions: archive }, named, process.cwd());
    const report = contextReport((await archive.fold(id)).state);
    if (report === null)
      throw new AppError("session.unknown", `session ${id} was never begun`, { hint: "Try: capstan sessions list" });
    const lines = flags.json === true ? [JSON.stringify(report)] : contextLines(report, screenWidth());
    for (const line of lines) process.stdout.write(`${line}\n`);
    return 0;
  } finally {
    await archive.close();
  }
}
