import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Exchange, parseScenario, startRehearsal } from "@capstan/rehearsal";
import { buildBundle } from "../../scripts/bundle/build-bundle.ts";

/** A run of the real binary that has ended. */
export interface CapstanRun {
  /** `null`: it was killed by `signal`. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Sent as soon as the model has been asked for the first time; for `run` only. */
  readonly signal?: "SIGUSR1";
  /** A program in front of the binary, such as one that gives it a terminal. @param words  program and arguments */
  readonly through?: (words: readonly string[]) => readonly string[];
}

/** A home, a workspace, Capstan's data, and a model that says what it is asked to. */
export interface CapstanPlace {
  readonly base: string;
  readonly cwd: string;
  readonly home: string;
  readonly data: string;
  write(path: string, content: string): string;
  /** The binary with these arguments. */
  start(args: readonly string[], options?: StartOptions): Promise<CapstanRun>;
  /** `capstan run` with a scripted model. @param turns  as in a scenario file */
  run(turns: readonly object[], args: readonly string[], options?: StartOptions): Promise<ModelRun>;
  /** Every file of Capstan's data, as bytes. */
  dataFiles(): readonly (readonly [path: string, content: string])[];
}

export interface ModelRun extends CapstanRun {
  readonly exchanges: readonly Exchange[];
}

/** Far above any run here. */
const runLimitMs = 90_000;

/** Makes a place, uses it and takes it away again. */
export async function inCapstanPlace<Result>(use: (place: CapstanPlace) => Promise<Result>): Promise<Result> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-attack-")));
  try {
    for (const folder of ["ws", "home", "outside"]) mkdirSync(join(base, folder));
    return await use(capstanPlace(base));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function capstanPlace(base: string): CapstanPlace {
  const [cwd, home, data] = [join(base, "ws"), join(base, "home"), join(base, "data")];
  const start = async (
    args: readonly string[],
    options: StartOptions,
    asked?: Promise<unknown>,
  ): Promise<CapstanRun> => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, CAPSTAN_HOME: data, LANG: "C.UTF-8", ...options.env };
    const words = [process.execPath, await capstanEntry(), ...args];
    const signal =
      asked === undefined || options.signal === undefined ? undefined : { name: options.signal, when: asked };
    return await runToEnd(options.through?.(words) ?? words, { cwd, env }, signal);
  };
  return {
    base,
    cwd,
    home,
    data,
    write(path, content) {
      const file = join(cwd, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    start: (args, options = {}) => start(args, options),
    async run(turns, args, options = {}) {
      const requests = new EventEmitter();
      const asked = once(requests, "request");
      const rehearsal = await startRehearsal({
        scenario: parseScenario(JSON.stringify({ name: "attack", turns }), "scenario.json"),
        onExchange: () => requests.emit("request"),
      });
      try {
        const env = { ANTHROPIC_BASE_URL: rehearsal.url, ANTHROPIC_API_KEY: "key-that-opens-nothing", ...options.env };
        const words = ["run", "-m", "anthropic/rehearsal", "--set", "retry.base_delay_ms=1", ...args];
        const ended = await start(words, { ...options, env }, asked);
        return { ...ended, exchanges: [...rehearsal.exchanges] };
      } finally {
        await rehearsal.close();
      }
    },
    dataFiles: () =>
      readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, readFileSync(path, "latin1")] as const),
  };
}

interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface SignalLater {
  readonly name: "SIGUSR1";
  readonly when: Promise<unknown>;
}

function runToEnd(
  [program = "", ...args]: readonly string[],
  where: Where,
  signal: SignalLater | undefined,
): Promise<CapstanRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), runLimitMs);
    const [stdout, stderr]: readonly [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (piece: Buffer) => stdout.push(piece));
    child.stderr.on("data", (piece: Buffer) => stderr.push(piece));
    child.once("error", reject);
    void signal?.when.then(() => child.kill(signal.name));
    child.once("close", (code, ending) => {
      clearTimeout(timer);
      resolve({
        code,
        signal: ending,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
  });
}

let entry: Promise<string> | undefined;

/** The binary, bundled as for a release, once for all attempts, or the one that is given; ours goes away with this process. */
function capstanEntry(): Promise<string> {
  entry ??= bundle();
  return entry;
}

async function bundle(): Promise<string> {
  const given = process.env["CAPSTAN_ATTACKED_ENTRY"];
  if (given !== undefined) return given;
  const root = join(import.meta.dirname, "../..");
  const folder = mkdtempSync(join(tmpdir(), "capstan-attack-bundle-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return (await buildBundle(root, join(folder, "dist"))).entry;
}
