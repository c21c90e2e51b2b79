/** Rows of `docs/reference/provider-faults.md`, through the real engine and a real socket: answers that break. */
import { expect, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { casesOf, expectedFailure, playFailure } from "./fault-fixture.ts";

const place = usePlace();

const rows = casesOf("The connection fails", "The stream is odd", "The body is another");

test.for(rows.filter(({ retried }) => retried !== "–"))("$id: $vendor", async (row) => {
  expect(await playFailure(place, row)).toMatchObject(expectedFailure(row));
});
