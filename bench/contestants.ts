import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { filesPerFolder, groups, lateTurn } from "./limits.ts";
import { type ProcessUse, runProcess } from "./run-process.ts";
import { workspaceFiles } from "./scenarios.ts";
import type { BenchWire } from "./wires.ts";

/** Who is measured: Capstan's built binary, and a bare script that does the same work. */
export type Contestant = "capstan" | "bare";
export const contestants: readonly Contestant[] = ["capstan", "bare"];

const launcher = join(import.meta.dirname, "..", "bin", "capstan");
const bareAgent = join(import.meta.dirname, "bare", "agent.mjs");
const prompt = "Read the parts and say when you are done.";

/** A workspace under git and an empty home, removed at the end. */
export class Place {
  readonly #folder = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  readonly #workspace = join(this.#folder, "workspace");
  readonly #home = join(this.#folder, "home");

  /** @param files  how many more there are, a hundred in a folder */
  constructor(files = 0) {
    mkdirSync(this.#workspace);
    mkdirSync(this.#home);
    for (const name of workspaceFiles)
      writeFileSync(join(this.#workspace, name), `This is ${name}.\nIt has two lines.\n`);
    for (let file = 0; file < files; file += 1) this.#writeFurther(file);
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", [...args], { cwd: this.#workspace, stdio: "ignore" });
    git("init");
    git("add", ".");
    git("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-m", "Parts");
  }

  #writeFurther(file: number): void {
    const module = Math.floor(file / filesPerFolder);
    const folder = join(this.#workspace, "packages", `group-${module % groups}`, `module-${module}`, "src");
    if (file % filesPerFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${file % filesPerFolder}.ts`), `export const number = ${file};\n`);
  }

  /** Lets one of them do what the server's model says. */
  run(contestant: Contestant, url: string, wire: BenchWire): Promise<ProcessUse> {
    const args = contestant === "bare" ? [bareAgent, wire.name, url, prompt] : capstanArguments(wire);
    return runProcess(args, this.#workspace, this.environment(url, wire));
  }

  /** Starts Capstan with its events on stdout. */
  start(url: string, wire: BenchWire): ChildProcessByStdio<null, Readable, null> {
    return spawn(process.execPath, [...capstanArguments(wire), "--output-format", "stream-json"], {
      cwd: this.#workspace,
      env: this.environment(url, wire),
      stdio: ["ignore", "pipe", "ignore"],
    });
  }

  /** The terminal UI's command line, with a model that answers there. */
  tui(
    url: string,
    wire: BenchWire,
    args: readonly string[],
  ): {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  } {
    const words = [launcher, "tui", "--model", `${wire.name}/rehearsal`, ...args];
    return { args: words, cwd: this.#workspace, env: this.environment(url, wire) };
  }

  get workspace(): string {
    return this.#workspace;
  }

  /** CAPSTAN_HOME */
  get dataFolder(): string {
    return join(this.#home, "capstan");
  }

  private environment(
    url: string,
    { basePath, variables: [baseUrl, key] }: BenchWire,
  ): Readonly<Record<string, string>> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.#home,
      CAPSTAN_HOME: join(this.#home, "capstan"),
      [baseUrl]: `${url}${basePath}`,
      [key]: "none",
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** The defaults, but for the limit that the long run would reach. */
function capstanArguments({ name }: BenchWire): readonly string[] {
  const limit = `tools.max_tool_iterations_per_user_turn=${lateTurn + 1}`;
  return [launcher, "run", "--model", `${name}/rehearsal`, "--set", limit, prompt];
}

/** The arguments of a process that only says its version, and of one that does nothing. */
export const startUpArguments: Readonly<Record<Contestant, readonly string[]>> = {
  capstan: [launcher, "version"],
  bare: ["-e", "0"],
};
