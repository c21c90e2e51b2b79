import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { onTestFinished } from "vitest";
import { Engine, type EngineOptions, type ProgramTool } from "../src/index.ts";

export interface Place {
  readonly home: string;
  readonly workspace: string;
  /** An engine of this place that asks a rehearsed model; it is shut down when the test ends. */
  engine(model: Rehearsal, options?: EngineOptions): Engine;
}

/** An empty data directory and workspace, gone when the test ends. */
export function newPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-library-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const workspace = join(root, "work");
  mkdirSync(workspace);
  return {
    home,
    workspace,
    engine: (model, options = {}) => {
      const env = { PATH: process.env["PATH"], ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-1234567890" };
      const engine = new Engine({ home, cwd: workspace, env, model: "anthropic/rehearsal", ...options });
      onTestFinished(() => engine.shutdown());
      return engine;
    },
  };
}

/** A model that gives these answers. */
export async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  const scenario = parseScenario(JSON.stringify({ name: "library", turns }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

/** A tool that needs approval, and what it was called with. */
export function bell(): { readonly tool: ProgramTool; readonly rung: number[] } {
  const rung: number[] = [];
  const tool: ProgramTool = {
    name: "ring_bell",
    description: "Rings the bell of the house.",
    inputSchema: { type: "object", properties: { times: { type: "integer" } }, required: ["times"] },
    effect: "execute",
    execute: ({ times }) => {
      rung.push(Number(times));
      return Promise.resolve(`rang ${Number(times)} times`);
    },
  };
  return { tool, rung };
}

/** The model rings twice, then says that it did. */
export const ringing: readonly object[] = [
  { tool_calls: [{ name: "ring_bell", arguments: { times: 2 } }] },
  { text: "It rang twice." },
];

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

/** For the tests' callbacks: Node 20 has no `Promise.withResolvers`. */
export function deferred<Value>(): Deferred<Value> {
  const settle: ((value: Value) => void)[] = [];
  const promise = new Promise<Value>((resolve) => settle.push(resolve));
  return { promise, resolve: (value) => settle[0]?.(value) };
}
