import type { Exchange } from "@capstan/rehearsal";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import { sampled, slowTest } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { allAt, talk, type Vendor, vendors } from "./talk.ts";
import { prepareWorkspace, scenarioOf, tenTurns } from "./ten-turns.ts";
import { refusedByTypes, type SentBody } from "./vendor-types.ts";

const place = usePlace();

test.for(sampled(vendors, 1))(
  "ten turns with tools, thinking and attachments: %s takes every request",
  async (vendor) => {
    const { exchanges, unused, outcomes } = await play(vendor);
    expect(exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect([unused, outcomes]).toEqual([0, tenTurns.map(() => "done")]);
    expect([place.read("a.txt"), place.read("b.txt"), place.read("deep/c.txt")]).toEqual([
      "delta\nsecond line\n",
      "zeta\n",
      "c\n",
    ]);
    expect(JSON.stringify(exchanges.at(-1)?.body)).toContain("iVBORw0KGgo=");
  },
);

slowTest(
  "every request of the ten turns is one that the vendors' published types allow, and they notice one that is not",
  async () => {
    const bodies: SentBody[] = [];
    for (const vendor of vendors) {
      const { exchanges } = await play(vendor);
      bodies.push(...exchanges.map(({ body }) => ({ vendor, body })));
    }
    expect(bodies).toHaveLength(vendors.length * tenTurns.flatMap((turn) => turn.answers).length);
    const wrong = vendors.flatMap((vendor): readonly SentBody[] => {
      const body: unknown = bodies.find((sent) => sent.vendor === vendor)?.body;
      return [
        { vendor, body: Object.assign({}, body, { surprise: true }) },
        { vendor, body: withWrongText(body) },
      ];
    });
    const refused = refusedByTypes([...bodies, ...wrong]);
    expect(new Set(refused.map((line) => line.slice(0, line.indexOf(":"))))).toEqual(
      new Set(wrong.map((_body, at) => `bodies[${bodies.length + at}]`)),
    );
  },
);

interface Played {
  readonly exchanges: readonly Exchange[];
  readonly unused: number;
  readonly outcomes: readonly unknown[];
}

async function play(vendor: Vendor): Promise<Played> {
  prepareWorkspace(place);
  const scenario = parseScenario(JSON.stringify(scenarioOf(tenTurns)), "ten-turns.json");
  const server = await startRehearsal({ scenario });
  onTestFinished(() => server.close());
  const talking = await talk(place, { addresses: allAt(server.url), vendor });
  const outcomes = [];
  for (const turn of tenTurns) {
    const end = (await talking.say(...turn.say)).at(-1);
    outcomes.push(end?.type === "turn-ended" ? end.outcome : end);
  }
  await talking.close();
  return { exchanges: server.exchanges, unused: server.unused(), outcomes };
}

/** The same body, where the first thing the user said is a number. */
function withWrongText(body: unknown): unknown {
  let changed = false;
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    const text = (key === "text" || key === "content") && typeof value === "string" && !changed;
    if (!text) return value;
    changed = true;
    return 7;
  });
}
