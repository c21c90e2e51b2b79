/** Agents in the background work beside the session that called them, and report once. */
import { slowTest } from "@capstan/testkit";
import { EventEmitter, once } from "node:events";
import { expect, test, vi } from "vitest";
import { usePlace } from "../stage/place.ts";
import { type OutputObject, parseLines, parseResult } from "../stage/read-output.ts";
import { answeringModel, type Asked, type AnsweringModel, type Said } from "./answering-model.ts";

const place = usePlace();
const flags = ["run", "-m", "anthropic/rehearsal", "--output-format", "json"];

function spawn(...prompts: readonly string[]): Said {
  return {
    calls: prompts.map((prompt) => ({
      name: "spawn_agent",
      arguments: { agent: "explore", prompt, background: true },
    })),
  };
}

function output(args: OutputObject): Said {
  return { calls: [{ name: "command_output", arguments: JSON.parse(JSON.stringify(args)) }] };
}

/** The ids that calls in the background gave. */
function idsIn({ text }: Asked): readonly string[] {
  return [...text.matchAll(/works in the background as (\w+)/g)].map(([, id = ""]) => id);
}

/** How often a report stands in what a model was shown last. */
function reports({ asked }: AnsweringModel, words: string): number {
  return (asked.at(-1)?.text.match(new RegExp(words, "g")) ?? []).length;
}

async function agents(): Promise<readonly OutputObject[]> {
  const all = parseLines(await place.run(["sessions", "list", "--agents", "--json"]));
  return all.filter(({ spawnedBy }) => spawnedBy !== undefined);
}

test("eight work at once while their caller continues, a ninth is refused, and each report comes once", async () => {
  const prompts = Array.from({ length: 8 }, (_, at) => `Look into part-${at}.`);
  let atWork = 0;
  const begun = new EventEmitter();
  const all = once(begun, "all");
  const model = await answeringModel(async (asked) => {
    const part = /part-(\d)/.exec(asked.first)?.[1];
    if (part !== undefined) {
      atWork += 1;
      if (atWork === 8) begun.emit("all");
      // Each answers only once all work: one after the other would never end.
      await all;
      return { text: `Report of ${part}!` };
    }
    if (asked.spoken === 0) return spawn(...prompts);
    if (asked.spoken === 1) return spawn("One too many.");
    if (asked.spoken === 2) return output({});
    const read = asked.text.match(/Report of \d!/g)?.length ?? 0;
    const next = idsIn(asked).find((id) => !asked.text.includes(`session ${id}]`));
    return next === undefined || read >= 8 ? { text: `All ${read} are read.` } : output({ id: next, wait_seconds: 60 });
  });
  const run = await place.run([...flags, "Look everywhere."], { env: model.env });
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "All 8 are read." });
  const own = model.asked.filter(({ first }) => first.includes("Look everywhere."));
  expect(own[2]?.results.join()).toContain("8 agents work in the background already");
  expect(own.at(-1)?.text.match(/Report of \d!/g)).toHaveLength(8);
  // What they spent counts in the turn: its own calls, and one of each.
  expect(parseResult(run)).toMatchObject({ modelCalls: own.length + 8 });
  expect(await agents()).toHaveLength(8);
  // The next day nothing of it comes again.
  expect(parseResult(await place.run([...flags, "-c", "And now?"], { env: model.env }))).toMatchObject({
    outcome: "done",
  });
  expect(reports(model, "Report of 3!")).toBe(1);
});

test("killed with -9 while an agent works in the background: it is carried on with in the next turn, and reports once", async () => {
  let isBack = false;
  const never = new Promise<Said>(() => undefined);
  const model = await answeringModel((asked) => {
    if (asked.first.includes("Dig.")) return isBack ? { text: "Found the bone." } : never;
    if (asked.spoken === 0) return spawn("Dig.");
    if (!isBack) return never;
    const [id = ""] = idsIn(asked);
    return asked.text.includes("Found the bone.") ? { text: "Good." } : output({ id, wait_seconds: 60 });
  });
  const running = place.start([...flags, "Have it dug."], { env: model.env });
  await vi.waitFor(() => expect(model.asked).toHaveLength(3), 60_000);
  running.kill("SIGKILL");
  await running.ended;
  expect(await agents()).toHaveLength(1);
  isBack = true;
  for (const words of ["Continue.", "Continue again."])
    expect(parseResult(await place.run([...flags, "-c", words], { env: model.env }))).toMatchObject({
      outcome: "done",
    });
  expect(reports(model, "Found the bone.")).toBe(1);
  expect(await agents()).toMatchObject([{ turns: 1, lastOutcome: "done" }]);
});

slowTest("who does not wait reads the report with a later result, and stops what is not needed any more", async () => {
  const slow = new Promise<Said>(() => undefined);
  place.write("a.txt", "a\n");
  const model = await answeringModel(async (asked) => {
    if (asked.first.includes("Slow.")) return await slow;
    if (asked.first.includes("Quick.")) {
      if (asked.spoken === 0) return { calls: [{ name: "read_file", arguments: { path: "a.txt" } }] };
      return { text: "Quick is over." };
    }
    if (asked.spoken === 0) return spawn("Slow.", "Quick.");
    const [first = "", second = ""] = idsIn(asked);
    if (asked.spoken === 1) return output({ id: first, stop: true });
    if (asked.text.includes("Quick is over.")) return { text: "Thanks." };
    // Whatever it does next brings the report.
    return asked.spoken > 40
      ? { text: `Nothing of ${second}.` }
      : { calls: [{ name: "read_file", arguments: { path: "a.txt", offset: asked.spoken } }] };
  });
  const run = await place.run([...flags, "Both."], { env: model.env });
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "Thanks." });
  expect(
    (await agents()).map(({ lastOutcome }) => String(lastOutcome)).toSorted((one, other) => one.localeCompare(other)),
  ).toEqual(["done", "interrupted"]);
  const [caller] = parseLines(await place.run(["sessions", "list", "--json"]));
  const tree = await place.run(["sessions", "tree", String(caller?.["id"])]);
  expect(tree.stdout).toMatch(
    /^Both\. · done · .*\n├─ explore: Slow\. · interrupted · .*\n└─ explore: Quick\. · done · .*\n$/,
  );
});

slowTest("stopping its caller stops it", async () => {
  const never = new Promise<Said>(() => undefined);
  const model = await answeringModel((asked) =>
    asked.first.includes("Dig.") || asked.spoken > 0 ? never : spawn("Dig."),
  );
  const running = place.start([...flags, "Have it dug."], { env: model.env });
  await vi.waitFor(() => expect(model.asked).toHaveLength(3), 60_000);
  running.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(await agents()).toMatchObject([{ lastOutcome: "interrupted" }]);
});
