/** `npm start [-- FOLDER]`: a real coding task that is killed, resumed, answered from elsewhere, and audited. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pc from "picocolors";
import { showPromises } from "./show-promises.ts";

const capstan = join(import.meta.dirname, "../../bin/capstan");
const named = process.argv[2];
const folder = named === undefined ? mkdtempSync(join(tmpdir(), "capstan-first-task-")) : resolve(named);
const model = modelWithKey();
const say = (text: string): void => void process.stdout.write(`${pc.bold(text)}\n`);
try {
  const isDone = await showPromises({
    capstan,
    folder,
    ...(model === undefined ? {} : { model }),
    env: process.env,
    say,
    print: (line) => void process.stdout.write(`${line}\n`),
  });
  process.exitCode = isDone ? 0 : 1;
  if (!isDone) say(pc.red("The task was not done."));
  sayNext();
} finally {
  if (named === undefined && model === undefined) rmSync(folder, { recursive: true, force: true });
}

function modelWithKey(): string | undefined {
  if (process.env["CAPSTAN_MODEL"] !== undefined) return process.env["CAPSTAN_MODEL"];
  if (process.env["ANTHROPIC_API_KEY"]) return "anthropic/claude-sonnet-5-5";
  if (process.env["OPENAI_API_KEY"]) return "openai/gpt-5.2";
  return process.env["GEMINI_API_KEY"] || process.env["GOOGLE_API_KEY"] ? "google/gemini-3-pro-preview" : undefined;
}

function sayNext(): void {
  if (model !== undefined) return say(`\nThe repository stays in ${folder}.`);
  say("\nThat was a rehearsal: the model's words were scripted, everything else was real.");
  say(
    "With a real model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and run `npm start` again, or, in a project of yours:",
  );
  say(`  ${capstan} "your task"`);
}
