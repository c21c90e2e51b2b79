import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { limited, usePlace } from "../stage/place.ts";
import { edit, editing, nameServers, read } from "./languages-place.ts";

const place = usePlace();

const kills = 40;
const lookAgainMs = 20;

/** The servers that have files of this place open: their working directory is the workspace. */
function serversHere(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isServer(pid));
}

function isServer(pid: number): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--lsp") &&
      readlinkSync(`/proc/${pid}/cwd`) === place.workspace
    );
  } catch {
    return false;
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself, or with the one before it.
  }
}

test("a real Python server: the model learns the new error of its change", async () => {
  place.write("a.py", "def twice(number: int) -> int:\n    return number * 2\n");
  nameServers(place, "python", "typescript");
  await place.trust();
  const breaks = edit("a.py", "number * 2", "str(number)");
  const look = [
    { tool_calls: [read("a.py")] },
    { tool_calls: [breaks] },
    { tool_calls: [read("a.py")] },
    { text: "done" },
  ];
  const stage = await place.rehearse("openai-chat", look);
  expect((await stage.run([...editing, "go"])).code).toBe(0);
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("is not assignable to return type");
});

test(`${kills} kills of Capstan or of its server: no server is left, and the next run works`, async () => {
  place.write("sum.ts", "export const sum = (a: number, b: number): number => a + b;\n");
  nameServers(place, "typescript");
  await place.trust();
  const codesWithoutServer: (number | null)[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const from = kill % 2 === 0 ? "a + b" : "String(a + b)";
    const to = kill % 2 === 0 ? "String(a + b)" : "a + b";
    place.write("sum.ts", `export const sum = (a: number, b: number): number => ${from};\n`);
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [read("sum.ts")] },
      { tool_calls: [edit("sum.ts", from, to)] },
      { text: "done" },
    ]);
    const running = stage.start([...editing, "go"]);
    await limited("a server", (resolve) => {
      const look = (): void => (serversHere().length > 0 ? resolve() : void setTimeout(look, kill % lookAgainMs));
      look();
    });
    if (kill % 4 < 2) running.kill("SIGKILL");
    else for (const pid of serversHere()) endProcess(pid);
    const { code } = await running.ended.catch(() => ({ code: null }));
    if (kill % 4 >= 2) codesWithoutServer.push(code);
    await limited("the end of the servers", (resolve) => {
      const look = (): void => (serversHere().length === 0 ? resolve() : void setTimeout(look, lookAgainMs));
      look();
    });
  }
  expect(codesWithoutServer).toEqual(Array.from({ length: kills / 2 }, () => 0));
  expect(serversHere()).toEqual([]);
});
