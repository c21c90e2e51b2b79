/** Rows of `docs/reference/provider-faults.md`, through the real engine and a real socket: what is odd, and does no harm. */
import { expect, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { casesOf, lastAnswer, openFixture } from "./fault-fixture.ts";
import { answerPiece, answerText } from "./good-answer.ts";

const place = usePlace();

const rows = casesOf("The stream is odd", "The body is another");

test.for(rows.filter(({ retried }) => retried === "–"))("$id: $vendor", async (row) => {
  const fixture = await openFixture(place, row);
  await fixture.fail(Number.POSITIVE_INFINITY);
  const events = await fixture.say("words");
  expect(events.at(-1)?.record).toMatchObject({ type: "turn-ended", outcome: row.outcome });
  expect([fixture.server.bodies.length, await lastAnswer(fixture.talk)]).toEqual([1, textIn(row.id)]);
  const notices = events.flatMap(({ record }) => (record.type === "notice" ? [record.code] : []));
  expect(notices).toEqual(row.id === "unknown-event" ? ["provider.unknown-event"] : []);
});

function textIn(id: string): string {
  if (id === "delta-twice") return answerText.replace(answerPiece, answerPiece + answerPiece);
  return id === "bad-utf8" ? answerText.replace("#", "\ufffd") : answerText;
}
