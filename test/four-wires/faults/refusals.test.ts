/** Rows of `docs/reference/provider-faults.md`, through the real engine and a real socket: what ends before an answer begins. */
import { exitCodes } from "@capstan/protocol";
import { expect, test } from "vitest";
import { faultRows } from "../../../scripts/reference/provider-fault-rows.ts";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { casesOf, expectedFailure, playFailure } from "./fault-fixture.ts";

const place = usePlace();

test("rows have names of their own, and what fails in them ends a run with the provider's exit code", () => {
  const rows = Object.values(faultRows).flat();
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const failing = rows.filter(({ code }) => code !== undefined);
  expect(new Set(failing.map(({ outcome }) => exitCodes[outcome]))).toEqual(new Set([5]));
});

test("no row is without a test: those of other headings would not be played", () => {
  const played = ["The vendor refuses", "The connection fails", "The stream is odd", "The body is another"];
  const { "The answer is huge": huge, "The provider stays away": away, ...others } = faultRows;
  expect(Object.keys(others)).toEqual(played);
  const byName = [...(huge ?? []), ...(away ?? [])].map(({ id }) => id);
  expect(byName).toEqual(["large-argument", "large-argument-pieces", "left-alone", "another-model"]);
});

test.for(casesOf("The vendor refuses"))("$id: $vendor", async (row) => {
  expect(await playFailure(place, row)).toMatchObject(expectedFailure(row));
});
