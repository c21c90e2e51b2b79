/** Rows of `docs/reference/provider-faults.md`, through the real engine and a real socket: providers that stay away. */
import { expect, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { allAt, modelOf, talk, vendors } from "../talk.ts";
import { casesOf } from "./fault-fixture.ts";
import { startFaultyVendor } from "./faulty-vendor.ts";
import { goodAnswer } from "./good-answer.ts";
import { strikeOf } from "./strikes.ts";

const place = usePlace();

const rows = casesOf("The provider stays away");

test.for(rows.filter(({ id }) => id === "left-alone"))("$id: $vendor", async ({ vendor, code, shown, outcome }) => {
  const server = await startFaultyVendor(await goodAnswer(vendor));
  server.fail(Number.POSITIVE_INFINITY, strikeOf("500", vendor));
  const sets = ["retry.max_attempts=2", "retry.breaker_failures=1", "retry.breaker_seconds=3600"];
  const talking = await talk(place, { addresses: allAt(server.url), vendor, sets });
  const records = await talking.say("words");
  const failure = { code, message: expect.stringContaining(shown) };
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", outcome, failure, rolledBack: true });
  expect([server.bodies.length, (await talking.session.conversation(null, 10)).messages]).toEqual([1, []]);
});

test.for(rows.filter(({ id }) => id === "another-model"))("$id: $vendor", async ({ vendor, outcome }) => {
  const other = vendors[(vendors.indexOf(vendor) + 1) % vendors.length] ?? vendor;
  const [server, second] = [
    await startFaultyVendor(await goodAnswer(vendor)),
    await startFaultyVendor(await goodAnswer(other)),
  ];
  server.fail(Number.POSITIVE_INFINITY, strikeOf("529", vendor));
  const addresses = { ...allAt(server.url), [other]: second.url };
  const sets = ["retry.max_attempts=2", `app.model_fallbacks=["${modelOf[other]}"]`];
  const talking = await talk(place, { addresses, vendor, sets });
  const records = await talking.say("words");
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", outcome });
  expect(records.flatMap((record) => (record.type === "notice" ? [record.code] : []))).toEqual(["provider.fallback"]);
  expect([server.bodies.length, second.bodies.length]).toEqual([2, 1]);
});
