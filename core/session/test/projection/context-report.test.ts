import { contextReport, modelRequest } from "@capstan/session";
import { playMoves, randomMoves } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

test("the parts of a report are those of the request that would be sent: none is left out or counted twice", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(100), (moves, variant) => {
      const { state } = playMoves(moves, variant);
      const parts = new Map(contextReport(state)?.parts.map(({ name, count }) => [name, count]));
      const { system, tools, messages } = modelRequest(state);
      const types = messages.flatMap(({ content }) => content.map(({ type }) => type));
      const of = (type: string): number => types.filter((each) => each === type).length;
      expect(parts.get("tools") ?? 0).toBe(tools.length);
      expect(parts.has("system")).toBe(system !== "");
      expect(parts.has("summary")).toBe(state.summary !== null);
      expect(parts.get("results") ?? 0).toBe(of("tool-result"));
      expect(parts.get("calls") ?? 0).toBe(of("tool-call"));
      expect((parts.get("words") ?? 0) + (parts.get("summary") ?? 0) + (parts.get("answers") ?? 0)).toBe(
        of("text") + of("thinking") + of("provider-item"),
      );
    }),
  );
});
