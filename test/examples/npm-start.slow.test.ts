import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { showPromises } from "../../examples/first-task/show-promises.ts";
import { usePlace } from "../end-to-end/stage/place.ts";
import { linesOf, parseLines } from "../end-to-end/stage/read-output.ts";

const place = usePlace();

/** What `npm start -- FOLDER` prints. */
async function npmStart(): Promise<{ readonly isDone: boolean; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const take = (text: string): void => void lines.push(...text.split("\n"));
  const isDone = await showPromises({
    capstan: inject("capstanEntry"),
    folder: place.workspace,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder },
    say: take,
    print: take,
  });
  return { isDone, lines };
}

/** The calls that began in the latest session. */
async function startedCalls(): Promise<readonly unknown[]> {
  const env = { CAPSTAN_HOME: join(place.workspace, "capstan-home") };
  const [latest] = parseLines(await place.run(["sessions", "list", "--json"], { env }));
  const shown = await place.run(["sessions", "show", String(latest?.["id"]), "--json"], { env });
  return linesOf(shown, "tool-started").map(({ callId }) => callId);
}

test("`npm start` kills the run, resumes it, answers from a second process and verifies the audit; again in the same folder", async () => {
  for (const round of ["first", "second"]) {
    const { isDone, lines } = await npmStart();
    const text = lines.join("\n");
    expect({ round, isDone, text }).toMatchObject({ isDone: true });
    const inOrder = [
      "Killed (SIGKILL), while the model was answering.",
      "Continuing: a model call that had not ended.",
      "Meanwhile, in a second process: Edit src/cart.js",
      "$ capstan audit export",
      "answered: approve",
      "the chain is whole",
      "# pass 4",
    ];
    const places = inOrder.map((words) => lines.findIndex((line) => line.includes(words)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const started = await startedCalls();
    expect(started).toHaveLength(8);
    expect(new Set(started).size).toBe(8);
    const changed = spawnSync("git", ["diff", "--stat"], { cwd: join(place.workspace, "corner-shop") });
    expect(String(changed.stdout)).toContain("2 files changed, 5 insertions(+), 1 deletion(-)");
  }
});

test("a folder of somebody else's is left alone", async () => {
  place.write("corner-shop/mine.txt", "mine");
  await expect(npmStart()).rejects.toThrow("corner-shop is not the shop of this example");
  expect(place.read("corner-shop/mine.txt")).toBe("mine");
});
