/** `capstan rehearse --record` and `--replay` with the real binary: a session in front of an endpoint, and without it again. */
import { inTurn, slowTest } from "@capstan/testkit";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as forward } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { describe, expect, inject, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import type { Run, RunningCapstan } from "../end-to-end/stage/run-capstan.ts";

const place = usePlace();

/** Looks like a key, and opens nothing. */
const key = "sk-ant-nothing-0123456789abcdef";
const otherSecret = "correct-horse-battery";

const wires = [
  { model: "anthropic/rehearsal", variable: "ANTHROPIC", path: "" },
  { model: "openai/rehearsal", variable: "OPENAI", path: "/v1" },
  { model: "openai-chat/rehearsal", variable: "OPENAI", path: "/v1" },
  { model: "google/rehearsal", variable: "GEMINI", path: "" },
] as const;
type WireLine = (typeof wires)[number];

const turns = [
  { text: "I look.", thinking: "hm", tool_calls: [{ name: "read_file", arguments: { path: "note.txt" } }] },
  { text: "I write.", tool_calls: [{ name: "write_file", arguments: { path: "new.txt", content: "made\n" } }] },
  { tool_calls: [{ name: "run_command", arguments: { argv: ["date"] } }] },
  { text: `It is done, and ${otherSecret} stays here.` },
];

const certificate = makeCertificate();

async function startEndpoint(file: object): Promise<Rehearsal> {
  const scenario = parseScenario(JSON.stringify({ name: "endpoint", ...file }), "endpoint.json");
  const rehearsal = await startRehearsal({ scenario });
  place.onClose(() => rehearsal.close());
  return rehearsal;
}

/** A rehearsal of the binary's own. */
interface Server {
  readonly url: string;
  readonly running: RunningCapstan;
}

async function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const running = place.start(["rehearse", ...args], { env: { MY_TOKEN: otherSecret, ...env } });
  let url = "";
  await running.stdoutMatches({
    test(said) {
      url = / at (http:\S+)\n/.exec(said)?.[1] ?? "";
      return said.includes("Ctrl-C");
    },
  });
  return { url, running };
}

function run(
  { model, variable, path }: WireLine,
  url: string,
  cwd: string,
  flags: readonly string[] = [],
): RunningCapstan {
  const allowed = ["--allow", "write_file", "--allow", "run_command(date)"];
  return place.start(["run", "-m", model, ...allowed, ...flags, "Make it"], {
    cwd,
    env: { [`${variable}_BASE_URL`]: `${url}${path}`, [`${variable}_API_KEY`]: key },
  });
}

async function stop({ running }: Server): Promise<Run> {
  running.kill("SIGINT");
  return await running.ended;
}

function newWorkspace(name: string): string {
  const folder = join(place.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "note.txt"), "a note\n");
  return folder;
}

describe.each(inTurn(wires, "recorded"))("$model", (line) => {
  test("a recorded session runs again without the endpoint, in another directory, and no secret was written", async () => {
    const endpoint = await startEndpoint({ turns });
    const file = join(place.folder, "session.json");
    const recorder = await serve(["--record", file, "--target", `${endpoint.url}${line.path}`]);
    const first = await run(line, recorder.url, newWorkspace("first")).ended;
    expect([first.code, endpoint.unused(), first.stderr]).toEqual([0, 0, expect.any(String)]);
    const ended = await stop(recorder);
    expect([ended.code, ended.stderr.match(/^200 .*$/gm)?.length]).toEqual([0, turns.length]);

    const written = readFileSync(file, "utf8");
    expect([written.includes(key), written.includes(otherSecret)]).toEqual([false, false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await endpoint.close();

    const replay = await serve(line.path === "" ? ["--replay", file] : [file]);
    const second = newWorkspace("second");
    const again = await run(line, replay.url, second).ended;
    expect([again.code, again.stdout]).toEqual([0, first.stdout.replace(otherSecret, "***")]);
    expect(readFileSync(join(second, "new.txt"), "utf8")).toBe("made\n");
    const served = await stop(replay);
    expect(served.stderr).not.toContain("—");
    expect(served.stdout).toContain(`-m ${line.model} `);
  });
});

slowTest("a recorder that is killed in the middle leaves what was complete, and it can be served", async () => {
  const [line] = wires;
  const endpoint = await startEndpoint({
    turns: [turns[0], { text: "long ".repeat(100), fault: { type: "stall", after_bytes: 1500 } }],
  });
  const file = join(place.folder, "session.json");
  const recorder = await serve(["--record", file, "--target", endpoint.url]);
  const first = run(line, recorder.url, newWorkspace("first"), ["--output-format", "stream-json"]);
  // The second answer has begun, and will not end.
  await first.stdoutMatches(/long long/);
  // And the first is over for the recorder: its client may ask again before it has seen the connection's end.
  await recorder.running.stderrMatches(/^200 anthropic/m);
  recorder.running.kill("SIGKILL");
  await recorder.running.ended;
  first.kill("SIGKILL");
  await first.ended;
  const recorded = parseScenario(readFileSync(file, "utf8"), file).exchanges ?? [];
  expect(recorded.map(({ order, answer }) => [order, answer.status, answer.end])).toEqual([[1, 200, "whole"]]);

  const replay = await serve([file]);
  const again = await run(line, replay.url, newWorkspace("second")).ended;
  expect(again.code).toBe(5);
  const served = await stop(replay);
  expect(served.stderr).toMatch(/^200 anthropic \/v1\/messages$/m);
  expect(served.stderr).toMatch(/^400 anthropic \/v1\/messages — rehearsal: all 1 answers to .* have been played$/m);
});

slowTest(
  "a recording that cannot be written any more ends the recorder, not the client's answer, and stays valid",
  async () => {
    const [line] = wires;
    const endpoint = await startEndpoint({ turns: [{ text: "done" }] });
    const file = join(place.folder, "session.json");
    const args = ["rehearse", "--record", file, "--target", endpoint.url];
    // Files may grow to 8 KB, which is less than a first request.
    const shell = ["-c", 'ulimit -f 8 && exec "$@"', "bash", process.execPath, inject("capstanEntry"), ...args];
    const child = spawn("bash", shell, { stdio: ["ignore", "pipe", "pipe"] });
    place.onClose(() => child.kill("SIGKILL"));
    const ended = Promise.all([once(child, "close"), text(child.stderr)]);
    const url = await new Promise<string>((resolve) => {
      let said = "";
      child.stdout.on("data", (piece: Buffer) => {
        said += piece.toString();
        if (said.includes("Ctrl-C")) resolve(/ at (http:\S+)\n/.exec(said)?.[1] ?? "");
      });
    });
    const first = await run(line, url, newWorkspace("first")).ended;
    expect([first.code, first.stdout]).toEqual([0, "done\n"]);
    const [[code], complaint] = await ended;
    const problem = /session\.json: the recording cannot continue: EFBIG.*\[storage\.failed\]/;
    expect([code, complaint]).toEqual([1, expect.stringMatching(problem)]);
    expect(parseScenario(readFileSync(file, "utf8"), file).exchanges).toEqual([]);
  },
);

slowTest("a session that goes another way is shown where it does, unless leniency was asked for", async () => {
  const [line] = wires;
  const endpoint = await startEndpoint({ turns: [turns[0], { text: "done" }] });
  const file = join(place.folder, "session.json");
  const recorder = await serve(["--record", file, "--target", endpoint.url]);
  expect((await run(line, recorder.url, newWorkspace("first")).ended).code).toBe(0);
  await stop(recorder);

  const other = newWorkspace("other");
  writeFileSync(join(other, "note.txt"), "another note\n");
  const strict = await serve(["--replay", file]);
  expect((await run(line, strict.url, other).ended).code).toBe(5);
  expect((await stop(strict)).stderr).toMatch(
    /400 .* — rehearsal: the request differs from the recorded one \(order 2\): messages\[2\]/,
  );
  const lenient = await serve(["--replay", file, "--lenient"]);
  expect((await run(line, lenient.url, other).ended).code).toBe(0);
  await stop(lenient);
});

slowTest("an https endpoint is asked only when its certificate is trusted", async (context) => {
  context.skip(certificate === undefined, "openssl is missing");
  const [line] = wires;
  const endpoint = await startEndpoint({ turns: [{ text: "over https" }] });
  const secure = createServer({ ...certificate }, (request, response) => {
    const { method, headers, url } = request;
    const inner = forward(`${endpoint.url}${url}`, { method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 500, incoming.headers);
      incoming.pipe(response);
    });
    request.pipe(inner);
  });
  await new Promise<void>((resolve) => {
    secure.listen(0, "127.0.0.1", resolve);
  });
  place.onClose(() => {
    secure.closeAllConnections();
    secure.close();
  });
  const address = secure.address();
  const target = `https://localhost:${typeof address === "object" ? address?.port : 0}`;
  const ask = async (name: string, env: Readonly<Record<string, string>>): Promise<Run> => {
    const server = await serve(["--record", join(place.folder, `${name}.json`), "--target", target], env);
    await run(line, server.url, newWorkspace(name), ["--set", "retry.max_attempts=1"]).ended;
    return await stop(server);
  };
  expect((await ask("unknown", {})).stderr).toMatch(
    /^502 anthropic .* — https:.* cannot be reached: self-signed certificate/m,
  );
  const file = join(place.folder, "authority.pem");
  writeFileSync(file, certificate?.cert ?? "");
  expect((await ask("trusted", { NODE_EXTRA_CA_CERTS: file })).stderr).toMatch(/^200 anthropic \/v1\/messages$/m);
  expect(readFileSync(join(place.folder, "trusted.json"), "utf8")).toContain("over https");
});

slowTest("flags that do not fit together are refused before anything is begun", async () => {
  const check = async (args: readonly string[], message: string): Promise<void> => {
    const ended = await place.run(["rehearse", ...args]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
  };
  await check([], "rehearse takes one of a scenario file, --record FILE and --replay FILE");
  await check(["a.json", "--replay", "b.json"], "rehearse takes one of");
  await check(["--record", "a.json"], "--record needs --target URL");
  await check(["a.json", "--target", "https://api.test"], "--target only goes with --record");
  await check(["a.json", "--force"], "--force only goes with --record");
  await check(
    ["--record", "a.json", "--target", "https://api.test", "--lenient"],
    "--lenient does not go with --record",
  );
  await check(["--record", "a.json", "--target", "http://api.test"], "plain http would show the key");
  place.write("a.json", "{}");
  await check(["--record", "a.json", "--target", "https://api.test"], "a.json exists already");
  expect(place.read("a.json")).toBe("{}");
});

/** For localhost, signed by itself; `undefined` where there is no openssl. */
function makeCertificate(): { readonly key: string; readonly cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "capstan-cert-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  try {
    execFileSync("openssl", [...made, "-keyout", keyFile, "-out", certFile, ...subject], { stdio: "ignore" });
    return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
