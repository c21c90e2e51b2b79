/** Too few open files end a run with a code and what to do, and the session continues once there are more. */
import { spawn } from "node:child_process";
import { inject, expect, test } from "vitest";
import { models, type Stage, usePlace } from "../stage/place.ts";

const place = usePlace();

interface Limited {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `capstan run` in a shell that lets it open so many files. */
async function runWith(limit: number, stage: Stage, args: readonly string[]): Promise<Limited> {
  const command = [process.execPath, inject("capstanEntry"), "run", "-m", models.anthropic, ...args];
  const child = spawn("sh", ["-c", `ulimit -n ${limit}; exec "$@"`, "sh", ...command], {
    cwd: place.workspace,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.workspace, CAPSTAN_HOME: place.data, ...stage.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  place.onClose(async () => void child.kill("SIGKILL"));
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const pieces: Buffer[] = [];
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    return pieces;
  });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ code, stdout: Buffer.concat(stdout ?? []).toString(), stderr: Buffer.concat(stderr ?? []).toString() }),
    );
  });
}

test("with few descriptors a run works, or ends with a code and what to do; nothing is lost, and the session continues", async () => {
  const limits = [19, 20, 21, 22, 25, 32];
  const stage = await place.rehearse(
    "anthropic",
    Array.from({ length: limits.length + 2 }, () => ({ text: "an answer" })),
  );
  expect((await stage.run(["--session-id", "first", "the first words"])).code).toBe(0);
  const seen: string[] = [];
  for (const limit of limits) {
    const { code, stdout, stderr } = await runWith(limit, stage, ["--resume", "first", `words ${limit}`]);
    const isNamed = /\[storage\.\w+\]\n.*ulimit -n/.test(stderr);
    seen.push(
      code === 0 && stdout === "an answer\n" ? "done" : code === 1 && isNamed ? "named" : `${limit}: ${code} ${stderr}`,
    );
  }
  expect(new Set(seen)).toEqual(new Set(["named", "done"]));
  expect(seen.slice(-2)).toEqual(["done", "done"]);
  expect(await stage.run(["--resume", "first", "the last words"])).toMatchObject({ code: 0, stdout: "an answer\n" });
  expect((await place.run(["doctor", "first"])).code).toBe(0);
});
