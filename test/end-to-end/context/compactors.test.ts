import { createServer } from "node:http";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { models, usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";

const place = usePlace();
const model = models.anthropic;
const read = (path: string): object => ({ tool_calls: [{ name: "read_file", arguments: { path } }] });
const flags = [
  "--yolo",
  "--set",
  `models."${model}".context_window=16000`,
  "--set",
  `models."${model}".max_output_tokens=2000`,
];

function files(): void {
  for (const name of ["a.txt", "b.txt", "c.txt"])
    place.write(name, `${name} begins\n${`${name} has a line\n`.repeat(500)}`);
}

const turns = [
  read("a.txt"),
  read("b.txt"),
  { ...read("c.txt"), usage: { input: 13_900, output: 20 } },
  { text: "Done." },
];

/** A service that writes summaries. @returns its address, and what it was sent */
async function service(): Promise<{ readonly url: string; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      received.push(`${request.headers.authorization} ${body}`);
      response.writeHead(200, { "content-type": "application/json" }).end('{"summary":"Files were read elsewhere."}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`, received };
}

test("the address of context.summary_url makes the summary, also in the next process, and is named where compactions are listed", async () => {
  files();
  const { url, received } = await service();
  const stage = await place.rehearse("anthropic", [...turns, { text: "And on." }]);
  const asked = ["--set", `context.summary_url=${url}`, "--set", "context.summary_key_env=SUMMARY_KEY"];
  const env = { SUMMARY_KEY: "summary-key-123" };
  const run = await stage.run([...flags, ...asked, "--output-format", "json", "Read the files."], { env });
  expect(parseResult(run)).toMatchObject({ outcome: "done" });
  expect(received).toHaveLength(1);
  expect(received[0]).toContain("Bearer summary-key-123 ");
  expect(JSON.parse(received[0]?.slice(received[0].indexOf("{")) ?? "")).toMatchObject({ agentId: "main" });
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("Files were read elsewhere.");
  expect((await stage.run([...flags, ...asked, "-c", "What else?"], { env })).stdout).toBe("And on.\n");
  expect(received).toHaveLength(1);
  const [made] = parseLines(await place.run(["context", "compactions", "--json"]));
  expect(made).toMatchObject({ compactor: "http", by: "model" });
});

test("with context.compactor = simple no model is asked for a summary, and the listing says what was used", async () => {
  files();
  const stage = await place.rehearse("anthropic", turns);
  const run = await stage.run([...flags, "--set", "context.compactor=simple", "Read the files."]);
  expect([run.code, run.stdout]).toEqual([0, "Done.\n"]);
  expect(stage.exchanges).toHaveLength(4);
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toMatch(/\d+ earlier messages are not shown any more/);
  const listed = await place.run(["context", "compactions"]);
  expect(listed.stdout).toContain("by rules (simple)");
});
