import { parseScenario, type Rehearsal, signThinking, startRehearsal } from "@capstan/rehearsal";
import type { JournalRecord, ModelSettings, UserContent } from "@capstan/protocol";
import * as fc from "fast-check";
import { slowTest } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { historyIn, ownThinkingIn } from "./sent-history.ts";
import { allAt, answersIn, modelOf, settingsFor, settingsOfModel, talk, type Vendor, vendors } from "./talk.ts";

const place = usePlace();

/** Thoughts that go back with the last request of a second visit; Chat Completions takes none unless it is asked to. */
const echoed: Readonly<Record<Vendor, number>> = { anthropic: 3, openai: 3, "openai-chat": 0, google: 3 };
const twice = [...vendors, ...vendors];

test("a session that visits four vendors in turn, twice, continues everywhere and loses nothing on the way", async () => {
  const server = await rehearse(twice);
  place.write("plan.png", "\u0089PNG");
  place.write("rules.pdf", "%PDF-1.4\n");
  const attached = ["--attach", "plan.png", "--attach", "rules.pdf"];
  for (const [visit, vendor] of twice.entries()) {
    const sets = settingsFor(allAt(server.url)).flatMap((setting) => ["--set", setting]);
    const next = visit === 0 ? attached : ["--continue"];
    const run = await place.run(["run", "-m", modelOf[vendor], ...sets, ...next, `visit ${visit}`]);
    expect([run.code, run.stdout]).toEqual([0, `End ${visit}.\n`]);
  }
  expect(problemsOf(server)).toEqual([]);
  for (const [at, vendor] of vendors.entries()) {
    // The last request of the first visit, and the first one of the second.
    const [before, after] = [2 * at + 1, 2 * (vendors.length + at)].map((order) => sent(server, order));
    const first = historyIn(vendor, { body: before });
    const second = historyIn(vendor, { body: after });
    expect(second.slice(0, first.length)).toEqual(first);
    expect(JSON.stringify(second)).toContain(`End ${vendors.length - 1}.`);
    expect(JSON.stringify(second)).toContain(Buffer.from("%PDF-1.4\n").toString("base64"));
  }
});

slowTest("each vendor gets its own thinking back as it came, and nobody else's", async () => {
  const server = await rehearse(twice);
  const session = await openTalk(server);
  for (const vendor of twice) await session.visit(vendor);
  expect(problemsOf(server)).toEqual([]);
  for (const [at, vendor] of vendors.entries()) {
    const visits = [at, vendors.length + at];
    const own = ownThinkingIn(vendor, historyIn(vendor, { body: sent(server, 2 * (vendors.length + at) + 1) }));
    expect(own).toHaveLength(echoed[vendor]);
    const text = JSON.stringify(sent(server, 2 * (vendors.length + at) + 1));
    const foreign = twice.flatMap((_vendor, visit) => (visits.includes(visit) ? [] : [thought(visit), parting(visit)]));
    expect(foreign.filter((words) => text.includes(words))).toEqual([]);
  }
  const claude = historyIn("anthropic", { body: sent(server, 2 * vendors.length + 1) });
  expect(ownThinkingIn("anthropic", claude)).toEqual([signed(thought(0)), signed(parting(0)), signed(thought(4))]);
  // What is kept is the same as what was said: nothing was lost to those who could not read it.
  const kept = answersIn(await session.conversation()).map(({ origin }) => origin.provider);
  expect(kept).toEqual(twice.flatMap((vendor) => [vendor, vendor]));
});

slowTest("in any order of vendors, with odd ids and attachments, every request is accepted", async () => {
  const order = fc.array(fc.constantFrom(...vendors), { minLength: 2, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(order, async (visits) => {
      const server = await rehearse(visits);
      const session = await openTalk(server);
      for (const [at, vendor] of visits.entries()) {
        const end = (await session.visit(vendor, ...(at === 0 ? attachments : []))).at(-1);
        expect(end).toMatchObject({ type: "turn-ended", outcome: "done" });
      }
      await session.close();
      await server.close();
      expect(problemsOf(server)).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

const attachments: readonly UserContent[] = [
  { type: "media", mediaType: "image/png", data: "iVBORw0KGgo=", name: "plan.png" },
  { type: "media", mediaType: "application/pdf", data: "JVBERi0xLjQK", name: "rules.pdf" },
];

/** Two answers for each visit: thinking with two reads at once, then words. */
async function rehearse(visits: readonly Vendor[]): Promise<Rehearsal> {
  place.write("a.txt", "alpha\n");
  const ids = ["call/one ü", "x".repeat(300), "", "call_1"];
  const turns = visits.flatMap((_vendor, visit) => [
    {
      thinking: thought(visit),
      text: `Looking ${visit}.`,
      tool_calls: ids.slice(visit % 2, 2 + (visit % 2)).map((id) => ({
        name: "read_file",
        arguments: { path: "a.txt", end_line: visit + 1 },
        ...(id === "" ? {} : { id: `${id}${visit}` }),
      })),
    },
    { thinking: parting(visit), text: `End ${visit}.`, expect: { tool_results: [{ contains: "alpha" }, {}] } },
  ]);
  const file = JSON.stringify({ name: "visits", defaults: { piece_bytes: 11 }, turns });
  const server = await startRehearsal({ scenario: parseScenario(file, "visits.json") });
  onTestFinished(() => server.close());
  return server;
}

function thought(visit: number): string {
  return `Thought ${visit} 🧵: what next?`;
}

function signed(words: string): object {
  return { type: "thinking", thinking: words, signature: signThinking(words) };
}

function parting(visit: number): string {
  return `Parting ${visit}: enough.`;
}

interface Visits {
  visit(vendor: Vendor, ...content: readonly UserContent[]): Promise<readonly JournalRecord[]>;
  conversation(): Promise<Parameters<typeof answersIn>[0]>;
  close(): Promise<void>;
}

/** A session whose model is another one at each visit. */
async function openTalk(server: Rehearsal): Promise<Visits> {
  const addresses = allAt(server.url);
  const models = new Map<Vendor, ModelSettings>();
  for (const vendor of vendors) models.set(vendor, await settingsOfModel(place, { addresses, vendor }));
  const session = await talk(place, { addresses, vendor: "google" });
  return {
    async visit(vendor, ...content) {
      await session.turnTo(models.get(vendor) ?? session.model);
      return session.say(...content, "Continue.");
    },
    conversation: async () => (await session.session.conversation(null, 1000)).messages,
    close: () => session.close(),
  };
}

function problemsOf(server: Rehearsal): readonly string[] {
  return server.exchanges.flatMap(({ problem, order }) =>
    problem === undefined ? [] : [`${order}: ${problem.message}`],
  );
}

function sent(server: Rehearsal, order: number): unknown {
  return server.exchanges[order]?.body;
}
