import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import { askChat } from "../raw-client.ts";

test("however a text is cut, its pieces join to it, keep characters whole and stay within the size", async () => {
  const cases = fc.record({
    text: fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
    piece_bytes: fc.integer({ min: 1, max: 9 }),
    chunk_bytes: fc.integer({ min: 1, max: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async (turn) => {
      const scenario = parseScenario(JSON.stringify({ name: "pieces", turns: [turn] }), "pieces.json");
      const server = await startRehearsal({ scenario });
      const pieces = contentOf((await askChat(server.url)).text);
      await server.close();
      expect(pieces.join("")).toBe(turn.text);
      expect(pieces.filter((piece) => !fits(piece, turn.piece_bytes))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

function contentOf(stream: string): readonly string[] {
  return stream
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice("data: ".length)).choices[0].delta.content ?? "")
    .filter((piece) => piece !== "");
}

function fits(piece: string, pieceBytes: number): boolean {
  const whole = Buffer.from(piece).toString() === piece;
  return whole && (Buffer.byteLength(piece) <= pieceBytes || Array.from(piece).length === 1);
}
