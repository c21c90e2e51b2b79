import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { CodeCache } from "../../app/src/code-cache/code-cache.ts";
import { type Scenario, type ScenarioTurn, startRehearsal } from "@capstan/rehearsal";

const limitMs = 120_000;

/**
 * Puts compiled code beside the scripts, for the Node that builds. A run that reads, writes and answers is carried out against a
 * rehearsal, and the commonest commands, so that the code holds the functions a start and a turn need: V8 compiles a function when it is first called.
 * @param entry  of a bundle that has no code yet
 * @throws when that run fails
 */
export async function fillCodeCache(entry: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-code-"));
  const server = await startRehearsal({ scenario: firstRun, checks: "off" });
  try {
    const [workspace, home] = [join(folder, "workspace"), join(folder, "home")];
    for (const made of [workspace, home]) mkdirSync(made, { mode: 0o700 });
    writeFileSync(join(workspace, "notes.txt"), "one\ntwo\n");
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      CAPSTAN_HOME: home,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "none",
    };
    for (const words of commands) await run([entry, ...words], workspace, environment);
    keepOthers(dirname(entry), join(home, "cache", "code"));
    publish(join(home, "cache", "code"), join(dirname(entry), "code"));
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first one first: it makes the data directory. */
const commands: readonly (readonly string[])[] = [
  ["run", "--model", "anthropic/rehearsal", "--yolo", "--sandbox", "off", "Count."],
  ["sessions", "list"],
  ["--help"],
];

/** Scripts that none of the runs asked for: nothing of them was called, and the text need not be read again. */
function keepOthers(scripts: string, cache: string): void {
  const names = readdirSync(scripts).filter((name) => name.endsWith(".js"));
  const kept = new CodeCache(cache);
  const others = names
    .map((name) => ({ name, source: readFileSync(join(scripts, name)) }))
    .filter(({ name, source }) => kept.read(name, source) === undefined)
    .map(({ name, source }) => [name, { source, code: new Script(source.toString()).createCachedData() }] as const);
  kept.write(new Map(others), () => true);
}

/** Whoever may read the scripts may read their code, too. */
function publish(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o755);
  for (const path of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    const found = join(to, path);
    chmodSync(found, statSync(found).isDirectory() ? 0o755 : 0o644);
  }
}

async function run(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: limitMs });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the run that fills the code cache ended with ${String(code)}: ${said}`);
}

function turn(part: Pick<ScenarioTurn, "text" | "toolCalls" | "finish">): ScenarioTurn {
  return {
    ...part,
    thinking: "",
    usage: { input: 100, output: 10 },
    pace: { pieceBytes: 40, firstByteDelayMs: 0, delayMs: 0 },
  };
}

const firstRun: Scenario = {
  name: "first-run",
  loop: false,
  requireKey: false,
  turns: [
    turn({
      text: "",
      toolCalls: [
        { name: "read_file", arguments: { path: "notes.txt" } },
        { name: "search", arguments: { pattern: "two" } },
      ],
      finish: "tool-calls",
    }),
    turn({
      text: "",
      toolCalls: [
        { name: "edit_file", arguments: { path: "notes.txt", old_string: "two", new_string: "three" } },
        { name: "run_command", arguments: { argv: ["wc", "-l", "notes.txt"] } },
      ],
      finish: "tool-calls",
    }),
    turn({ text: "Two lines are in notes.txt. ".repeat(100), toolCalls: [], finish: "stop" }),
  ],
};
