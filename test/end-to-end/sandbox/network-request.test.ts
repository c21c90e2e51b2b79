import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();
const hasSandbox = spawnSync("bwrap", ["--version"]).status === 0;

/** The user's own proxy, which knows every name. @returns its address, and what it was asked for */
async function userProxy(): Promise<{ readonly set: readonly string[]; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
    response.end("served by the proxy\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place.onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address to listen on");
  return { set: ["--set", `network.proxy=http://me:word@127.0.0.1:${address.port}`], asked };
}

const authorization = `Basic ${Buffer.from("me:word").toString("base64")}`;

function fetching(...paths: readonly string[]): object {
  const [first = ""] = paths;
  const beside = `${paths.map((path) => `curl -sS -m 100 http://${path} &`).join(" ")} wait; exit 1`;
  const command = paths.length === 1 ? `curl -sS -m 100 http://${first}` : beside;
  return { tool_calls: [{ name: "run_command", arguments: { command } }] };
}

const wait = ["--output-format", "json", "--on-ask", "wait"];

async function openQuestions(): Promise<readonly string[]> {
  return parseLines(await place.run(["interactions", "list", "--json"])).map((item) => String(item["id"]));
}

async function reply(
  word: string,
  known: readonly string[] = [],
): Promise<{ readonly id: string; readonly text: string }> {
  let id: string | undefined;
  while (id === undefined) id = (await openQuestions()).find((each) => !known.includes(each));
  const { stdout: text } = await place.run(["interactions", "show", id]);
  await place.run(["interactions", "answer", id, "--reply", word]);
  return { id, text };
}

describe.skipIf(!hasSandbox)("a connection to a host that nobody has opened (needs bubblewrap)", () => {
  test("waits for its user, who sees host and command: a yes lets it through for the session, and the next process asks again", async () => {
    const proxy = await userProxy();
    const stage = await place.rehearse("anthropic", [
      fetching("files.example.org/a"),
      fetching("files.example.org/b"),
      { text: "done" },
      fetching("files.example.org/c"),
      { text: "again" },
    ]);
    const running = stage.start([...wait, ...proxy.set, "go"]);
    await running.stderrMatches(/Waiting for an answer/);
    expect(proxy.asked).toEqual([]);
    const first = await reply("Yes");
    expect(first.text).toContain("files.example.org");
    expect(first.text).toContain("curl -sS -m 100 http://files.example.org/a");
    expect(parseResult(await running.ended)).toMatchObject({ outcome: "done", text: "done" });
    const both = ["a", "b"].map((path) => `http://files.example.org/${path} ${authorization}`);
    expect(proxy.asked).toEqual(both);
    for (const at of [1, 2]) expect(resultsOf(stage.exchanges[at]).at(-1)?.text).toContain("served by the proxy");
    const next = stage.start([...wait, ...proxy.set, "--continue", "go"]);
    await next.stderrMatches(/Waiting for an answer/);
    await reply("No", [first.id]);
    await next.ended;
    expect(proxy.asked).toEqual(both);
    expect(resultsOf(stage.exchanges[4]).at(-1)?.text).toMatch(/refused files\.example\.org:80.*network: \[host\]/s);
  });

  slowTest(
    "two at once are asked one after the other, and a rule of the user's answers without a question",
    async () => {
      const proxy = await userProxy();
      const stage = await place.rehearse("anthropic", [
        fetching("one.example.org/", "two.example.org/", "one.example.org/again"),
        { text: "done" },
        fetching("one.example.org/denied"),
        { text: "denied" },
      ]);
      const running = stage.start([...wait, ...proxy.set, "go"]);
      const first = await reply("Yes");
      const second = await reply("Yes", [first.id]);
      expect(parseResult(await running.ended)).toMatchObject({ outcome: "done" });
      expect(
        [first.text, second.text].map((text) => /(one|two)\.example\.org, and/.exec(text)?.[1]).toSorted(),
      ).toEqual(["one", "two"]);
      expect(proxy.asked.length).toBe(3);
      const denied = await stage.run([
        ...wait,
        ...proxy.set,
        "--deny",
        "run_command(host:one.example.org)",
        "--continue",
        "go",
      ]);
      expect(denied.stderr).not.toContain("Waiting for an answer");
      expect(proxy.asked.length).toBe(3);
    },
  );

  test("is refused at once where nobody can be asked, with what would open it; and so are addresses and this machine", async () => {
    const proxy = await userProxy();
    const stage = await place.rehearse("anthropic", [
      fetching("files.example.org/"),
      { text: "one" },
      fetching("10.0.0.1/", "169.254.169.254/", "printer.local/"),
      { text: "two" },
    ]);
    expect((await stage.run([...proxy.set, "go"])).code).toBe(0);
    expect(resultsOf(stage.exchanges[1]).at(-1)?.text).toContain("network: [host]");
    const asked = await stage.run([...wait, ...proxy.set, "--continue", "go"]);
    expect(parseResult(asked)).toMatchObject({ outcome: "done" });
    expect(resultsOf(stage.exchanges[3]).at(-1)?.text).toMatch(/refused .*169\.254\.169\.254:80/s);
    expect(proxy.asked).toEqual([]);
  });

  slowTest(
    "is gone with a process that is killed while it waits: no question is left, and the command is not run again",
    async () => {
      const proxy = await userProxy();
      const stage = await place.rehearse("anthropic", [fetching("files.example.org/"), { text: "here" }]);
      const running = stage.start([...wait, ...proxy.set, "go"]);
      await running.stderrMatches(/Waiting for an answer/);
      running.kill("SIGKILL");
      await running.ended;
      const run = await stage.run(["--output-format", "json", ...proxy.set, "--continue", "continue"]);
      expect({ code: run.code, questions: await openQuestions(), asked: proxy.asked }).toEqual({
        code: expect.any(Number),
        questions: [],
        asked: [],
      });
      expect(parseResult(run)["outcome"]).toMatch(/outcome-unknown|done/);
    },
  );
});
