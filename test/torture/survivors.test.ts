import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { markVariable } from "../../torture/stage/place.ts";
import { endMarked, findSurvivors } from "../../torture/stage/survivors.ts";

test("a process that outlives its run is found by its mark, and ended", async () => {
  const mark = randomUUID();
  const child = spawn("sleep", ["30"], { env: { PATH: process.env["PATH"] ?? "", [markVariable]: mark } });
  const ended = once(child, "exit");
  await once(child, "spawn");
  expect(await findSurvivors(mark)).toEqual([{ pid: child.pid, command: "sleep 30" }]);
  endMarked(mark);
  await ended;
  expect(await findSurvivors(mark)).toEqual([]);
});
