import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";

/** A machine of its own for a client: packages, a home, a workspace, and scripted models. */
export class Surroundings {
  readonly folder: string;
  readonly binary: string;
  readonly workspace: string;
  readonly #rehearsals: Rehearsal[] = [];

  constructor(folder: string, binary: string) {
    this.folder = folder;
    this.binary = binary;
    this.workspace = join(folder, "work");
    for (const needed of [this.workspace, join(folder, "home")]) mkdirSync(needed);
  }

  /** Without what their makers' own binaries would bring along. */
  async install(packages: readonly string[]): Promise<void> {
    writeFileSync(join(this.folder, "package.json"), '{ "private": true, "type": "module" }\n');
    execFileSync(
      "npm",
      [
        "install",
        "--omit=optional",
        "--ignore-scripts",
        "--engine-strict=false",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        ...packages,
      ],
      { cwd: this.folder, stdio: ["ignore", "ignore", "inherit"] },
    );
    await Promise.resolve();
  }

  /** A module of what was installed. */
  async load<Module>(name: string, file: string): Promise<Module> {
    const loaded: Module = await import(pathToFileURL(join(this.folder, "node_modules", name, file)).href);
    return loaded;
  }

  /** A model that plays these turns, and the environment in which it is asked. */
  async rehearse(turns: readonly object[]): Promise<Stage> {
    const scenario = parseScenario(JSON.stringify({ name: "conformance", turns }), "scenario.json");
    const rehearsal = await startRehearsal({ scenario });
    this.#rehearsals.push(rehearsal);
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(this.folder, "home"),
      CAPSTAN_HOME: join(this.folder, "data"),
      ANTHROPIC_BASE_URL: rehearsal.url,
      ANTHROPIC_API_KEY: "key-that-opens-nothing",
    };
    return { rehearsal, env, url: rehearsal.url };
  }

  async close(): Promise<void> {
    for (const rehearsal of this.#rehearsals) await rehearsal.close();
  }
}

/** A scripted model. */
export interface Stage {
  readonly rehearsal: Rehearsal;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}
