import { inTurn, isSlowTier } from "@capstan/testkit";
import { describe, test } from "vitest";
import { type WireName, wires } from "./place.ts";

/** What {@link overWires} hands to its tests in place of vitest's `test`, and of `slowTest`. */
export interface WireTest {
  (name: string, body: () => Promise<void>): void;
  for<Case>(cases: readonly Case[]): (name: string, body: (one: Case) => Promise<void>) => void;
}

/**
 * Tests of promises that hold on every wire. The fast tier runs each test, and each of its cases, on one wire, which its
 * name chooses; the slow tier runs them on all.
 * @param title with `%s` for the wire
 */
export function overWires(title: string, define: (wire: WireName, test: WireTest, slowTest: WireTest) => void): void {
  for (const wire of wires) {
    const chosen: (() => void)[] = [];
    define(wire, testOn(wire, chosen), testOn(wire, isSlowTier ? chosen : []));
    if (chosen.length > 0) {
      describe(title.replace("%s", wire), () => {
        for (const register of chosen) register();
      });
    }
  }
}

function testOn(wire: WireName, chosen: (() => void)[]): WireTest {
  const one = (name: string, body: () => Promise<void>): void => {
    if (inTurn(wires, name).includes(wire)) chosen.push(() => test(name, body));
  };
  const each: WireTest["for"] = (cases) => (name, body) => {
    const here = cases.filter((_case, at) => inTurn(wires, name, at).includes(wire));
    if (here.length > 0) chosen.push(() => test.for(here)(name, (given) => body(given)));
  };
  return Object.assign(one, { for: each });
}
