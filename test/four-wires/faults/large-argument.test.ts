/** A row of `docs/reference/provider-faults.md`, through the real engine and a real socket. */
import { expect, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { casesOf } from "./fault-fixture.ts";
import { writeLarge } from "./large-arguments.ts";

const place = usePlace();

/** All of it comes at once. */
const argument = { bytes: 10 * 1024 * 1024, pieceBytes: 20_000_000 };

test.for(casesOf("The answer is huge").filter(({ id }) => id === "large-argument"))("$id: $vendor", async (row) => {
  expect(await writeLarge(place, row, argument)).toMatchObject({
    ended: { type: "turn-ended", outcome: row.outcome },
    problems: [],
    unused: 0,
    written: false,
  });
});
