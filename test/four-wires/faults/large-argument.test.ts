/** A row of `docs/reference/provider-faults.md`, through the real engine and a real socket. */
import { expect, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { casesOf } from "./fault-fixture.ts";
import { writeTenMegabytes } from "./large-arguments.ts";

const place = usePlace();

/** More than there is: all of it comes at once. */
const pieceBytes = 20_000_000;

test.for(casesOf("The answer is huge").filter(({ id }) => id === "large-argument"))("$id: $vendor", async (row) => {
  expect(await writeTenMegabytes(place, row, pieceBytes)).toMatchObject({
    ended: { type: "turn-ended", outcome: row.outcome },
    problems: [],
    unused: 0,
    written: false,
  });
});
