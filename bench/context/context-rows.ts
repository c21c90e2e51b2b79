import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ownCompactors } from "@capstan/protocol";
import { SeededRandom } from "@capstan/testkit";
import { contextBench } from "../limits.ts";
import type { ReportRow } from "../report-rows.ts";
import { AskingModel } from "./asking-model.ts";
import { type PlantedFact, plantHistory } from "./planted-history.ts";

const launcher = join(import.meta.dirname, "..", "..", "bin", "capstan");

/** How older messages leave the window: each compactor of Capstan's own. */
const compactors = ownCompactors.map((name) => ({
  name,
  flags: name === "rules" ? ["--set", "context.infinity=false"] : ["--set", `context.compactor=${name}`],
}));

/** How many of the planted facts are still within reach after a long history, for each compactor beside plain truncation. */
export async function contextRows(progress: (what: string) => void): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const tokens of contextBench.tokens)
    for (const compactor of compactors) {
      progress(`context: ${tokens} tokens, ${compactor.name}`);
      rows.push(await measure(tokens, compactor));
    }
  return rows;
}

async function measure(tokens: number, { name, flags }: (typeof compactors)[number]): Promise<ReportRow> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-context-"));
  const history = join(folder, "history.jsonl");
  const facts = await plantHistory(history, tokens, new SeededRandom(tokens));
  const model = new AskingModel(facts);
  try {
    const cwd = join(folder, "work");
    mkdirSync(cwd);
    const run = capstan(cwd, folder, await model.start());
    const { sessionId } = JSON.parse(
      await run(["sessions", "import", history, "-m", "anthropic/bench", "--json", ...window]),
    );
    await run(["run", "--resume", String(sessionId), "Look all of it up.", ...window, ...flags]);
    const preview = await run(["context", "preview", String(sessionId), "--json"]);
    const shown = count(facts, withoutResults(preview));
    const cut = count(facts, readFileSync(history, "utf8").slice(-contextBench.windowTokens * 4));
    const isMet = tokens !== contextBench.targetTokens || model.found >= contextBench.target;
    return {
      what: `${contextBench.facts} facts after ${tokens / 1000}k tokens, ${name}`,
      capstan: `${shown} shown, ${model.found} by recall`,
      bare: `${cut} by truncation`,
      result: `${Math.max(shown, model.found)} of ${contextBench.facts}`,
      target: tokens === contextBench.targetTokens ? `≥ ${contextBench.target}` : "",
      met: tokens === contextBench.targetTokens ? (isMet ? "yes" : "NO") : "–",
    };
  } finally {
    model.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A window that every history is far larger than. */
const window = [
  "--set",
  `models."anthropic/bench".context_window=${contextBench.windowTokens}`,
  "--set",
  'models."anthropic/bench".max_output_tokens=4096',
];

const ask = promisify(execFile);

function capstan(cwd: string, folder: string, url: string): (args: readonly string[]) => Promise<string> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    CAPSTAN_HOME: join(folder, "data"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "bench",
  };
  const options = { cwd, env, maxBuffer: 1024 ** 3, timeout: contextBench.runTimeoutMs };
  return async (args) => (await ask(process.execPath, [launcher, ...args], options)).stdout;
}

function count(facts: readonly PlantedFact[], text: string): number {
  return facts.filter(({ value }) => text.includes(value)).length;
}

/** What the model is shown without what it looked up itself. */
function withoutResults(preview: string): string {
  const request: { readonly messages: readonly { readonly content: unknown }[] } = JSON.parse(preview);
  return request.messages
    .map(({ content }) => JSON.stringify(content))
    .filter((text) => !text.includes("toolu_recall_"))
    .join("\n");
}
