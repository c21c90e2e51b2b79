import { readFile } from "node:fs/promises";
import { AppError, isJsonObject, messageOf } from "@capstan/protocol";
import {
  type Comparison,
  parseScenario,
  type RecordedExchange,
  type Scenario,
  startRehearsal,
} from "@capstan/rehearsal";
import type { RehearseFlags } from "./rehearse-flags.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { reportError } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { recordEndpoint } from "./record-endpoint.ts";

/** `capstan rehearse`: a scripted or recorded model server on loopback, or one that records, until it is interrupted. */
export async function rehearse(scenario: string | undefined, flags: RehearseFlags): Promise<number> {
  try {
    checkFlags(scenario, flags);
    const port = portOf(flags.port);
    if (flags.record !== undefined) return await recordEndpoint(flags.record, flags, port);
    return await serve(flags.replay ?? scenario ?? "", port, flags.lenient === true ? "lenient" : "strict");
  } catch (error) {
    // Reported here: the bundle gives this command a file, and with it error classes, of its own.
    reportError(error, ["rehearse"]);
    return exitCodeOf(error);
  }
}

function checkFlags(scenario: string | undefined, flags: RehearseFlags): void {
  const sources = [scenario, flags.record, flags.replay].filter((file) => file !== undefined);
  if (sources.length !== 1) {
    throw new AppError("usage.invalid", "rehearse takes one of a scenario file, --record FILE and --replay FILE");
  }
  const misplaced =
    flags.record === undefined
      ? [...(flags.target === undefined ? [] : ["--target"]), ...(flags.force === true ? ["--force"] : [])]
      : flags.lenient === true
        ? ["--lenient"]
        : [];
  if (misplaced.length === 0) return;
  const where = flags.record === undefined ? "only goes with --record" : "does not go with --record";
  throw new AppError("usage.invalid", `${misplaced.join(", ")} ${where}`);
}

async function serve(file: string, port: number, comparison: Comparison): Promise<number> {
  const scenario = parseScenario(await readScenario(file), file);
  const rehearsal = await startRehearsal({
    scenario,
    port,
    comparison,
    onExchange: ({ wire, path, status, problem }) => {
      process.stderr.write(`${status} ${wire} ${path}${problem === undefined ? "" : ` — ${problem.message}`}\n`);
    },
  });
  process.stdout.write(
    `Rehearsing ${scenario.name} at ${rehearsal.url}\n${invitations(scenario, rehearsal.url)}Interrupt with Ctrl-C.\n`,
  );
  await new Promise<void>((resolve) => {
    onStopSignal(() => resolve());
  });
  await rehearsal.close();
  return 0;
}

/** How to point Capstan at the server: on every wire, or with the models that were recorded. */
function invitations({ exchanges }: Scenario, url: string): string {
  const models = exchanges === undefined ? scripted : [...new Set(exchanges.flatMap(modelOf))];
  return models.map((model) => invitation(model, url)).join("");
}

const scripted = ["anthropic/rehearsal", "openai/rehearsal", "openai-chat/rehearsal", "google/rehearsal"];

function invitation(model: string, url: string): string {
  const provider = model.split("/")[0];
  const [variable, path] =
    provider === "anthropic" ? ["ANTHROPIC", ""] : provider === "google" ? ["GEMINI", ""] : ["OPENAI", "/v1"];
  return `  ${variable}_BASE_URL=${url}${path} ${variable}_API_KEY=rehearsal-key capstan run -m ${model} "…"\n`;
}

/** Of a model call, as `-m` takes it. */
function modelOf({ wire, path, body }: RecordedExchange): readonly string[] {
  const provider = wire === "openai-responses" ? "openai" : wire;
  const inPath = /\/models\/([^/:?]+):/.exec(path)?.[1];
  const inBody = isJsonObject(body) && typeof body["model"] === "string" ? body["model"] : undefined;
  const model = wire === "google" ? inPath : inBody;
  return model === undefined ? [] : [`${provider}/${model}`];
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
