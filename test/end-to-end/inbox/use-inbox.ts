import { chmodSync } from "node:fs";
import { join } from "node:path";
import { type Place, type Stage, usePlace } from "../stage/place.ts";
import { type OutputObject, parseLines } from "../stage/read-output.ts";
import type { Run, RunningCapstan } from "../stage/run-capstan.ts";

export const json: readonly string[] = ["--output-format", "json"];

/** Commands are asked about, whatever sandbox the machine has. */
export const asking: readonly string[] = ["--set", "sandbox.mode=off"];

/** A call that counts its runs. */
export const count = { name: "run_command", arguments: { argv: ["./count.sh"] } };

/** A machine with a script that counts its runs, and with an inbox that other processes look into. */
export function useInbox(): InboxPlace {
  return new InboxPlace(usePlace());
}

export class InboxPlace {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  /** A scripted model, and the script beside it. */
  async rehearse(turns: readonly object[]): Promise<Stage> {
    this.writeScript("echo run >> runs.log");
    return this.place.rehearse("anthropic", turns);
  }

  writeScript(body: string): void {
    this.place.write("count.sh", `#!/bin/sh\n${body}\n`);
    chmodSync(join(this.place.workspace, "count.sh"), 0o755);
  }

  /** How often the script ran. */
  get runs(): number {
    return this.place.has("runs.log") ? this.place.read("runs.log").trim().split("\n").length : 0;
  }

  async list(): Promise<readonly OutputObject[]> {
    const run = await this.place.run(["interactions", "list", "--json"]);
    if (run.code !== 0) throw new Error(run.stderr);
    return run.stdout === "" ? [] : parseLines(run);
  }

  /** Ids of what waits. */
  async pending(): Promise<readonly string[]> {
    return (await this.list()).map(({ id }) => String(id));
  }

  /** The id of the only thing that waits. */
  async only(): Promise<string> {
    const [id, ...more] = await this.pending();
    if (id === undefined || more.length > 0) throw new Error(`${more.length + 1} interactions wait`);
    return id;
  }

  answer(id: string, ...flags: readonly string[]): Promise<Run> {
    return this.place.run(["interactions", "answer", id, ...flags]);
  }

  /** Starts a run and waits until it waits for an answer. */
  async startWaiting(stage: Stage, ...more: readonly string[]): Promise<RunningCapstan> {
    const running = stage.start([...json, ...asking, "--on-ask", "wait", ...more, "go"]);
    await running.stderrMatches(/Waiting for an answer/);
    return running;
  }

  /** Runs until it parks. */
  async park(stage: Stage, ...more: readonly string[]): Promise<Run> {
    const run = await stage.run([...json, ...asking, "--on-ask", "park", ...more, "go"]);
    if (run.code !== 7) throw new Error(`it ended with ${run.code}: ${run.stderr}`);
    return run;
  }

  /** Resumes the parked session. */
  proceed(stage: Stage, ...more: readonly string[]): Promise<Run> {
    return stage.run([...json, ...asking, "--on-ask", "park", "--continue", ...more]);
  }
}
