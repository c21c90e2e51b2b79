import { expect, test } from "vitest";
import { refusalOf } from "../../../src/run-command/confine/refused-hosts.ts";

test.each([
  ["example.org:443", [], "", "ask with network: [host]"],
  ["example.org:443", ["other.example.org"], "", "ask with network: [host]"],
  ["127.0.0.1:4873", ["127.0.0.1"], "(a host without a port means 80 and 443)", 'ask with network: ["127.0.0.1:4873"]'],
  [
    "a.example.org:8443",
    ["*.example.org"],
    "(a host without a port means 80 and 443)",
    'ask with network: ["a.example.org:8443"]',
  ],
  ["mirror.example.org:443", ["*.example.org"], "a private network", "only the user opens those"],
  ["Mirror.example.org:8080", ["mirror.example.org:8080"], "a private network", "only the user opens those"],
] as const)("what is said of %s where %j was open is true", (refused, hosts, why, ask) => {
  const refusal = refusalOf(refused, hosts);
  expect([refusal.why, refusal.ask]).toEqual([expect.stringContaining(why), expect.stringContaining(ask)]);
  expect(refusal.why === "").toBe(why === "");
});
