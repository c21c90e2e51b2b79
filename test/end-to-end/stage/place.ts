import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Exchange, parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { afterEach, beforeEach } from "vitest";
import { type Run, type RunningCapstan, startCapstan, type StartOptions } from "./run-capstan.ts";

export const wires = ["anthropic", "openai-responses", "openai-chat", "google"] as const;
export type WireName = (typeof wires)[number];

/** The models that runs over each wire ask. */
export const models: Readonly<Record<WireName, string>> = {
  anthropic: "anthropic/rehearsal",
  "openai-responses": "openai/rehearsal",
  "openai-chat": "openai-chat/rehearsal",
  google: "google/rehearsal",
};

/** No word of any scenario: keys are taken out of what is shown. */
const rehearsalKey = "key-that-opens-nothing";

/** A workspace may hold a whole repository with its dependencies, and a busy disk takes its time to remove it. */
const closingMs = 120_000;

/** How long a test waits for a request or a file before it fails. */
const waitLimitMs = 60_000;

export type CallOptions = Partial<StartOptions>;

/**
 * A machine of its own for each test of the file: an empty home, a workspace, and whatever is started here, which goes away
 * with it.
 */
export function usePlace(): Place {
  const place = new Place();
  beforeEach(() => place.open());
  afterEach(() => place.close(), closingMs);
  return place;
}

/** @see usePlace */
export class Place {
  #folder = "";
  #closers: (() => unknown)[] = [];

  get folder(): string {
    return this.#folder;
  }

  get workspace(): string {
    return join(this.#folder, "work");
  }

  /** CAPSTAN_HOME; made by the first run. */
  get data(): string {
    return join(this.#folder, "data");
  }

  open(): void {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-end-to-end-")));
    for (const needed of [this.workspace, this.#home]) mkdirSync(needed);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
    this.#closers = [];
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Ends with the place; the latest first. */
  onClose(close: () => unknown): void {
    this.#closers.push(close);
  }

  write(path: string, content: string): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  read(path: string): string {
    return readFileSync(join(this.workspace, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.workspace, path));
  }

  start(args: readonly string[], options: CallOptions = {}): RunningCapstan {
    const running = startCapstan(args, {
      cwd: this.workspace,
      ...options,
      env: { PATH: process.env["PATH"] ?? "", HOME: this.#home, CAPSTAN_HOME: this.data, ...options.env },
    });
    this.onClose(async () => {
      running.kill("SIGKILL");
      await running.ended.catch(() => undefined);
    });
    return running;
  }

  run(args: readonly string[], options?: CallOptions): Promise<Run> {
    return this.start(args, options).ended;
  }

  /** `capstan trust add`: the workspace as it is now. */
  async trust(): Promise<void> {
    const { code, stderr } = await this.run(["trust", "add"]);
    if (code !== 0) throw new Error(`the workspace could not be trusted: ${stderr}`);
  }

  /** @param countTokens  how the model counts what its scenario does not say */
  async rehearse(wire: WireName, turns: readonly object[], countTokens?: (text: string) => number): Promise<Stage> {
    const stage = await startStage(this, wire, { name: "end to end", turns }, countTokens);
    this.onClose(() => stage.rehearsal.close());
    return stage;
  }

  get #home(): string {
    return join(this.#folder, "home");
  }
}

/** A scripted model, and the runs that talk to it. */
export interface Stage {
  readonly env: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
  /** Turns not played. */
  readonly unused: () => number;
  /** Resolves when so many requests have arrived. */
  requests(count: number): Promise<void>;
  start(args: readonly string[], options?: CallOptions): RunningCapstan;
  /** `capstan run -m …` with these arguments; retries come at once. */
  run(args: readonly string[], options?: CallOptions): Promise<Run>;
}

// oxlint-disable-next-line max-params -- the last is what few stages have
async function startStage(
  place: Place,
  wire: WireName,
  scenario: object,
  countTokens?: (text: string) => number,
): Promise<Stage & { rehearsal: Rehearsal }> {
  const waiting = new Set<() => void>();
  const rehearsal = await startRehearsal({
    scenario: parseScenario(JSON.stringify(scenario), "scenario.json"),
    ...(countTokens === undefined ? {} : { countTokens }),
    onExchange: () => {
      for (const look of waiting) look();
    },
  });
  const env = environmentFor(wire, rehearsal.url);
  const start: Stage["start"] = (args, options = {}) =>
    place.start(["run", "-m", models[wire], "--set", "retry.base_delay_ms=1", ...args], {
      ...options,
      env: { ...env, ...options.env },
    });
  return {
    rehearsal,
    env,
    exchanges: rehearsal.exchanges,
    unused: rehearsal.unused,
    requests: (count) =>
      limited(`${count} requests`, (resolve) => {
        const look = (): void => {
          if (rehearsal.exchanges.length >= count) resolve();
        };
        waiting.add(look);
        look();
      }),
    start,
    run: (args, options) => start(args, options).ended,
  };
}

function environmentFor(wire: WireName, url: string): Readonly<Record<string, string>> {
  switch (wire) {
    case "anthropic":
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: rehearsalKey };
    case "openai-responses":
    case "openai-chat":
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: rehearsalKey };
    case "google":
      return { GEMINI_BASE_URL: url, GEMINI_API_KEY: rehearsalKey };
  }
}

/** Waits for something that must come soon; the limit only ends a test that has failed already. */
export function limited(what: string | (() => string), begin: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`waited too long for ${typeof what === "string" ? what : what()}`));
    const timer = setTimeout(fail, waitLimitMs);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
