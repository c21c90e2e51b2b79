import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import type { Acpx } from "./install-acpx.ts";

/** What became of a story. `problem`: what was not as it must be. */
export interface StoryResult {
  readonly story: string;
  readonly problem: string | null;
}

interface Story {
  readonly story: string;
  readonly flags: readonly string[];
  readonly turns: readonly object[];
  /** Whether the file is there afterwards. */
  readonly writes: boolean;
  readonly says: readonly RegExp[];
}

const limitMs = 90_000;
const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const plan = { name: "update_plan", arguments: { plan: [{ step: "look around", status: "in_progress" }] } };
const command = { name: "run_command", arguments: { argv: ["echo", "hello"] } };

const stories: readonly Story[] = [
  {
    story: "a prompt with a thought, a plan, a call that is allowed, a diff and an end",
    flags: ["--approve-all"],
    turns: [{ thinking: "what is there", text: "I write.", tool_calls: [plan, write, command] }, { text: "All done." }],
    writes: true,
    says: [/made\.txt/, /echo hello/, /All done\./, /end_turn/],
  },
  {
    story: "a call that is denied",
    flags: ["--deny-all"],
    turns: [{ tool_calls: [write] }, { text: "So be it." }],
    writes: false,
    says: [/So be it\./, /end_turn/],
  },
];

/** Plays each story in a place of its own, with a scripted model. */
export async function playAcpx(acpx: Acpx, capstan: string): Promise<readonly StoryResult[]> {
  const results: StoryResult[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one at a time
  for (const story of stories) results.push({ story: story.story, problem: await play(story, acpx, capstan) });
  return results;
}

async function play(
  { flags, turns, writes, says }: Story,
  { node, entry }: Acpx,
  capstan: string,
): Promise<string | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-acpx-story-")));
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const made of [home, work]) mkdirSync(made);
  const scenario = parseScenario(JSON.stringify({ name: "acpx", turns }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    CAPSTAN_HOME: join(folder, "data"),
    ANTHROPIC_BASE_URL: rehearsal.url,
    ANTHROPIC_API_KEY: "key-that-opens-nothing",
  };
  const agent = `${process.execPath} ${capstan} acp -m anthropic/rehearsal`;
  try {
    const { code, output } = await run(node, [entry, "--agent", agent, ...flags, "exec", "write it"], {
      cwd: work,
      env,
    });
    const missing = says.filter((pattern) => !pattern.test(output)).map(String);
    const wrote = existsSync(join(work, "made.txt"));
    if (missing.length === 0 && wrote === writes) return null;
    return `exit code ${code}; not said: ${missing.join(", ")}; the file is ${wrote ? "" : "not "}there\n${output}\n`;
  } finally {
    await rehearsal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(
  program: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...place, stdio: ["ignore", "pipe", "pipe"], timeout: limitMs });
    let output = "";
    const take = (piece: Buffer): void => {
      output += piece.toString("utf8");
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
