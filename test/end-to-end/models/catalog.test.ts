/** What models there are, through the real binary and every wire. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { startVendors } from "./start-vendors.ts";

const place = usePlace();

test("the binary lists the models of every vendor it has a key for", async () => {
  const env = await startVendors(place, "claude-sonnet-5-5", [{ text: "hi" }]);
  const run = await place.run(["models"], { env });
  expect(run.lines).toEqual([
    "  model                        context  output  $/M in  $/M out  source",
    "* anthropic/claude-sonnet-5-5       1M    128k       2       10  vendor",
    "  openai/claude-sonnet-5-5          1M    128k       2       10  vendor",
    "  google/claude-sonnet-5-5       1.05M     66k       2       10  vendor",
  ]);
  expect([run.code, run.stderr]).toEqual([0, "capstan: openai/ID can also be written openai-chat/ID\n"]);
});

test("what a refresh brings is what the next run knows, and a failed one leaves it so", async () => {
  const model = { id: "newest", limit: { context: 50_000, output: 5000 }, cost: { input: 1, output: 2 } };
  let document = JSON.stringify({ anthropic: { models: { newest: model, broken: { id: "broken" } } } });
  const server = createServer((_request, response) => void response.end(document));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  place.onClose(() => server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/api.json`;
  mkdirSync(place.data, { mode: 0o700 });
  writeFileSync(join(place.data, "config.toml"), `[catalog]\nsource_url = "${url}"\n`, { mode: 0o600 });
  const file = join(place.data, "models.json");
  const first = await place.run(["models", "refresh"]);
  expect([first.code, first.stdout]).toEqual([
    0,
    `Wrote ${file}: 1 model of 1 vendor from ${url}; 1 new, 0 with other prices; 1 entry could not be read.\n`,
  ]);
  const kept = readFileSync(file, "utf8");
  document = "<html>out of order</html>";
  const second = await place.run(["models", "refresh"]);
  expect([second.code, second.stdout]).toEqual([1, ""]);
  expect(second.stderr).toContain("answered with something that is not JSON [provider.protocol]");
  expect(readFileSync(file, "utf8")).toBe(kept);
  const env = await startVendors(place, "newest", [{ text: "done", usage: { input: 10_000, output: 1000 } }]);
  const run = await place.run(["run", "-m", "anthropic/newest", "--output-format", "json", "go"], { env });
  const result: { readonly costUsd: number } = JSON.parse(run.stdout);
  expect(result.costUsd).toBeCloseTo(0.012);
});
