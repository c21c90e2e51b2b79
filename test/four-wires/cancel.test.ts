import { inTurn, sampled } from "@capstan/testkit";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { limited, usePlace } from "../end-to-end/stage/place.ts";
import { parseResult } from "../end-to-end/stage/read-output.ts";
import { type Relay, startRelay } from "./relay.ts";
import { type Addresses, allAt, modelOf, settingsFor, talk, type Vendor, vendors } from "./talk.ts";

const place = usePlace();

/** Where a call may be when it is cancelled, and what the scripted model does to keep it there. */
const phases = {
  "while connecting": {},
  "before the first byte": { text: "Too late.", first_byte_delay_ms: 600_000 },
  "after the head": { text: "Not shown.", fault: { type: "stall", after_bytes: 0 } },
  "in mid-stream": { text: "word ".repeat(500), fault: { type: "stall", after_bytes: 3000 } },
} as const;
type Phase = keyof typeof phases;

const names: readonly Phase[] = ["while connecting", "before the first byte", "after the head", "in mid-stream"];
const cases = names.flatMap((phase, at) => inTurn(vendors, "cancelled", at).map((vendor) => ({ phase, vendor })));
/** What differs for a process: the others are one and the same wait. */
const signalled = cases.filter(({ phase }) => phase !== "after the head");

test.for(cases)("a cancel $phase closes the socket, and the session continues: $vendor", async ({ phase, vendor }) => {
  const stage = await setUp(phase);
  const first = await talk(place, { vendor, addresses: stage.first });
  const shown = first.next(({ type }) => type === "text-delta");
  const ended = first.next(({ type }) => type === "turn-ended");
  await first.begin("first words");
  await stage.arrived();
  if (phase === "in mid-stream") await shown;
  await first.session.submit({ type: "cancel", reason: "interrupted" });
  await stage.relay.closed(1);
  expect(await ended).toMatchObject({ outcome: "interrupted" });
  await first.close();

  const target = { type: "resume", id: first.session.id } as const;
  const next = await talk(place, { vendor, addresses: stage.next, target });
  expect((await next.say("second words")).at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect(stage.server.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
});

test.for(sampled(signalled, 1))(
  "SIGINT $phase closes the socket, and the session continues: $vendor",
  async ({ phase, vendor }) => {
    const stage = await setUp(phase);
    const running = place.start([
      "run",
      "--output-format",
      "stream-json",
      ...flags(vendor, stage.first),
      "first words",
    ]);
    await stage.arrived();
    if (phase === "in mid-stream") await running.stdoutMatches(/"text-delta"/);
    running.kill("SIGINT");
    await stage.relay.closed(1);
    const run = await running.ended;
    expect([run.code, parseResult(run)["outcome"]]).toEqual([130, "interrupted"]);

    const next = await place.run(["run", "--continue", ...flags(vendor, stage.next), "second words"]);
    expect([next.code, stage.server.exchanges.flatMap(({ problem }) => problem ?? [])]).toEqual([0, []]);
  },
);

interface Stage {
  readonly server: Rehearsal;
  /** Before the server, or in its place. */
  readonly relay: Relay;
  /** Where the call goes that is cancelled, and the one after it. */
  readonly first: Addresses;
  readonly next: Addresses;
  /** Resolves when the call is where it is to be cancelled. */
  arrived(): Promise<void>;
}

async function setUp(phase: Phase): Promise<Stage> {
  const turns = [...(phase === "while connecting" ? [] : [phases[phase]]), { text: "Second." }];
  const looks = new Set<() => void>();
  const server = await startRehearsal({
    scenario: parseScenario(JSON.stringify({ name: "cancel", turns }), "cancel.json"),
    onExchange: () => {
      for (const look of looks) look();
    },
  });
  onTestFinished(() => server.close());
  const next = allAt(server.url);
  if (phase === "while connecting") {
    // A server that never answers the greeting of TLS.
    const relay = await startRelay(undefined);
    const first = allAt(`https://127.0.0.1:${relay.port}`);
    return { server, relay, first, next, arrived: () => relay.opened(1) };
  }
  const relay = await startRelay(server.port);
  const asked = limited("the request", (resolve) => looks.add(resolve));
  return { server, relay, first: allAt(relay.url), next, arrived: () => asked };
}

function flags(vendor: Vendor, addresses: Addresses): readonly string[] {
  return ["-m", modelOf[vendor], ...settingsFor(addresses).flatMap((set) => ["--set", set])];
}
