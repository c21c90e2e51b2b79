import { namedTool } from "./support/named-tool.ts";
import { expect, test } from "vitest";
import { withDeferred } from "../src/defer-tools.ts";

const deferredNames = (servers: Parameters<typeof withDeferred>[0], limitBytes: number): readonly string[] =>
  withDeferred(servers, limitBytes).flatMap(({ definition }) =>
    definition.deferred === true ? [definition.name] : [],
  );

const server = (name: string, deferTools: boolean | null = null): Parameters<typeof withDeferred>[0][number] => ({
  tools: [namedTool(name)],
  deferTools,
});

test("definitions that have no room together are deferred, but for those of servers of which something else is said", () => {
  const bytes = Buffer.byteLength(JSON.stringify(namedTool("a").definition));
  expect(deferredNames([server("a"), server("b")], 2 * bytes)).toEqual([]);
  expect(deferredNames([server("a"), server("b")], 2 * bytes - 1)).toEqual(["a", "b"]);
  expect(deferredNames([server("a"), server("b", false), server("c", true)], bytes)).toEqual(["c"]);
});
