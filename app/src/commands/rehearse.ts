import { readFile } from "node:fs/promises";
import { AppError, messageOf } from "@capstan/protocol";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import { exitCodeOf } from "../exit-code-of.ts";
import { reportError } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";

export interface RehearseFlags {
  readonly port?: string;
}

/** `capstan rehearse SCENARIO`: a scripted model server on loopback, until it is interrupted. */
export async function rehearse(file: string, flags: RehearseFlags): Promise<number> {
  try {
    return await serve(file, flags);
  } catch (error) {
    // Told here: the bundle gives this command a file, and with it error classes, of its own.
    reportError(error);
    return exitCodeOf(error);
  }
}

async function serve(file: string, flags: RehearseFlags): Promise<number> {
  const scenario = parseScenario(await readScenario(file), file);
  const rehearsal = await startRehearsal({
    scenario,
    port: portOf(flags.port),
    onExchange: ({ wire, path, status, problem }) => {
      process.stderr.write(`${status} ${wire} ${path}${problem === undefined ? "" : ` — ${problem.message}`}\n`);
    },
  });
  process.stdout.write(
    `Rehearsing ${scenario.name} at ${rehearsal.url}\n` +
      `  ANTHROPIC_BASE_URL=${rehearsal.url} ANTHROPIC_API_KEY=rehearsal capstan run -m anthropic/rehearsal "…"\n` +
      `  OPENAI_BASE_URL=${rehearsal.url}/v1 OPENAI_API_KEY=rehearsal capstan run -m openai/rehearsal "…"   (or openai-chat/)\n` +
      `  GEMINI_BASE_URL=${rehearsal.url} GEMINI_API_KEY=rehearsal capstan run -m google/rehearsal "…"\n` +
      "Interrupt with Ctrl-C.\n",
  );
  await new Promise<void>((resolve) => {
    onStopSignal(() => resolve());
  });
  await rehearsal.close();
  return 0;
}

async function readScenario(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AppError("rehearsal.scenario", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? "0");
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new AppError("usage.invalid", `--port takes a number from 0 to 65535, not ${JSON.stringify(text)}`);
}
