/** A long session re-reads its prefix from the vendor's cache: fifty turns (twenty in the fast tier) through the real engine, provider and tools. */
import { asDriver, FollowedSession, isSlowTier, isTurnEnd, inTurn } from "@capstan/testkit";
import { createHost, type Host, loadSettings } from "@capstan/host";
import { type JournalRecord, type SessionId, userText } from "@capstan/protocol";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { headOf, messagesOf } from "../end-to-end/stage/read-request.ts";

const place = usePlace();

const turnCount = isSlowTier ? 50 : 20;
/** Of all input tokens after the first request, how many must come from the cache. */
const leastHitRate = 0.9;

/** What automatic caches count in. */
const stepTokens = 128;

const wires = [
  { wire: "anthropic", baseUrl: "ANTHROPIC_BASE_URL", path: "", key: "ANTHROPIC_API_KEY" },
  { wire: "openai-chat", baseUrl: "OPENAI_BASE_URL", path: "/v1", key: "OPENAI_API_KEY" },
  { wire: "google", baseUrl: "GEMINI_BASE_URL", path: "", key: "GEMINI_API_KEY" },
  { wire: "openai", baseUrl: "OPENAI_BASE_URL", path: "/v1", key: "OPENAI_API_KEY" },
] as const;

test.each(inTurn(wires, "fifty turns"))(
  "over $wire a session of many turns reads more than 90 % of its input from the cache",
  async (line) => {
    for (let index = 0; index < 30; index += 1) place.write(`notes/${index}.txt`, `note ${index}\n`.repeat(20));
    const rehearsal = await rehearse(Array.from({ length: turnCount }, (_, index) => turnsOf(index)).flat());
    const start = (): Promise<Host> => startHost(line, rehearsal);
    const records: JournalRecord[] = [];
    let host = await start();
    let id: SessionId | undefined;
    for (let index = 0; index < turnCount; index += 1) {
      if (index === turnCount / 2) {
        // The second half is another host's, as after a restart: what it sends must be the same, byte for byte.
        await host.close();
        host = await start();
      }
      // What git and the directory would say changes between the turns.
      place.write(`between-${index}.txt`, String(index));
      const taken = await take(host, id, `Question ${index}: ${"what is in the notes? ".repeat(5)}`);
      id = taken.id;
      records.push(...taken.records);
    }
    await host.close();

    expect(rehearsal.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(rehearsal.unused()).toBe(0);
    const requests = rehearsal.exchanges.map((exchange) => messagesOf(exchange).map((item) => JSON.stringify(item)));
    for (const [index, request] of requests.slice(1).entries()) {
      const before = requests[index] ?? [];
      expect(request.length).toBeGreaterThan(before.length);
      expect(request.slice(0, before.length)).toEqual(before);
    }
    expect(new Set(rehearsal.exchanges.map((exchange) => JSON.stringify(headOf(exchange)))).size).toBe(1);

    const usages = records.flatMap((record) => (record.type === "step-completed" ? [record.usage] : []));
    expect(usages.length).toBe(requests.length);
    const later = usages.slice(1);
    const read = later.reduce((sum, usage) => sum + usage.cachedInputTokens, 0);
    const all = later.reduce((sum, usage) => sum + usage.inputTokens, 0);
    console.info(`${line.wire}: ${requests.length} requests, hit rate ${(read / all).toFixed(4)} of ${all} tokens`);
    expect(read / all).toBeGreaterThan(leastHitRate);
    // Of what one request sent, the next reads nothing new but its last step, whose end (closing brackets) is another.
    const readAgain = later.map((usage, index) => (usages[index]?.inputTokens ?? 0) - usage.cachedInputTokens);
    expect(Math.max(...readAgain)).toBeLessThanOrEqual(line.wire === "anthropic" ? 0 : stepTokens);
  },
);

/** Most turns only answer; some read first, some read more at once than a cache's mark looks back over. */
function turnsOf(index: number): readonly object[] {
  const answer = { text: `Answer ${index}. ${"It is so. ".repeat(8)}` };
  const calls = index % 7 === 3 ? 25 : index % 3 === 1 ? 2 : 0;
  if (calls === 0) return [answer];
  const read = (from: number) => ({
    text: `I look, ${index}.`,
    thinking: "hm",
    tool_calls: Array.from({ length: calls }, (_, at) => ({
      name: "read_file",
      arguments: { path: `notes/${at}.txt`, start_line: from, end_line: from + (index % 10) },
    })),
  });
  return [read(1), read(2), answer];
}

async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  const scenario = parseScenario(JSON.stringify({ name: "fifty turns", turns }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  place.onClose(() => rehearsal.close());
  return rehearsal;
}

async function startHost({ wire, baseUrl, path, key }: (typeof wires)[number], { url }: Rehearsal): Promise<Host> {
  const settings = await loadSettings({
    env: { PATH: process.env["PATH"], CAPSTAN_HOME: place.data, [baseUrl]: `${url}${path}`, [key]: "key-of-nobody" },
    cwd: place.workspace,
    sets: [`app.model=${wire}/rehearsal`],
    flags: [],
    safeMode: false,
    addDirectories: [],
    yolo: false,
  });
  const host = await createHost(settings, {
    askPolicy: "deny",
    interactionExpiryMs: null,
    onUnknown: "fail",
    version: "1.2.3",
    report: (error) => {
      throw error;
    },
  });
  place.onClose(() => host.close());
  return host;
}

/** One turn, to its end. */
async function take(
  { client }: Host,
  id: SessionId | undefined,
  words: string,
): Promise<{ readonly id: SessionId; readonly records: readonly JournalRecord[] }> {
  const target = id === undefined ? ({ type: "new" } as const) : ({ type: "resume", id } as const);
  const session = new FollowedSession(await client.open(target, asDriver));
  await session.client.submit({ type: "user-input", turnId: client.newTurnId(), content: userText(words) });
  await session.nth(1, isTurnEnd);
  await session.close();
  return { id: session.client.id, records: session.events.map(({ record }) => record) };
}
