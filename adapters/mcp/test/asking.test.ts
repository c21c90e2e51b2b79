import { slowTest } from "@capstan/testkit";
import { pathToFileURL } from "node:url";
import type { UserReply } from "@capstan/ports";
import { noUsage, type Question } from "@capstan/protocol";
import { expect, test } from "vitest";
import type { SampleRequest } from "../src/index.ts";
import { callTool, namesOf, newFolder, openServers, realServers, scriptServer } from "./support/servers.ts";

const everything = scriptServer("every", [realServers.everything, "stdio"]);

/** A user who answers each question in turn, and remembers what was asked. */
function user(answer: (questions: readonly Question[], round: number) => UserReply) {
  const asked: { readonly asker: string; readonly questions: readonly Question[] }[] = [];
  const ask = async (asker: string, questions: readonly Question[]): Promise<UserReply> => {
    asked.push({ asker, questions });
    return await Promise.resolve(answer(questions, asked.length));
  };
  return { asked, ask };
}

const fill =
  (texts: Readonly<Record<string, string>>) =>
  (questions: readonly Question[]): UserReply => ({
    type: "answered",
    answers: questions.map(({ question, options }) => {
      const known = Object.entries(texts).find(([words]) => question.includes(words));
      return [known?.[1] ?? options[0]?.label ?? "-"];
    }),
  });

test("a form of a server is asked field by field, again where an answer does not fit, and comes back typed", async () => {
  const { source } = await openServers([everything]);
  const email = { "Your email": "me@example.com", "favorite integer": "7", "Your full": "Ada" };
  const { asked, ask } = user((questions, round) =>
    fill(round === 1 ? { ...email, "Your email": "nobody" } : email)(questions),
  );
  const { content } = await callTool(source, "mcp__every__trigger-elicitation-request", {}, { ask });
  expect(asked).toHaveLength(2);
  expect(asked[0]?.asker).toBe("The MCP server every");
  expect(asked[0]?.questions[0]?.question).toMatch(/^Please provide inputs .*: String: Your full, legal name/);
  expect(asked[1]?.questions[0]?.question).toMatch(/^\[String with email format: an e-mail address\] /);
  expect(content).toContain("me@example.com");
  expect(content).toMatch(/"integer": 7/);
  expect(content).toMatch(/"check": true/);
  expect(content).toMatch(/"titledSingleSelectEnum": "hero-1"/);
  expect(content).toMatch(/"untitledMultipleSelectEnum": \[\s*"Guitar"/);
});

slowTest.each<[UserReply, RegExp]>([
  [{ type: "declined" }, /declined/i],
  [{ type: "unanswered" }, /cancel/i],
])("a user who says %j is understood", async (reply, words) => {
  const { source } = await openServers([everything]);
  const { content } = await callTool(
    source,
    "mcp__every__trigger-elicitation-request",
    {},
    { ask: user(() => reply).ask },
  );
  expect(content).toMatch(words);
});

test("an address is opened by its user alone; where nobody can be asked, nothing is asked", async () => {
  const { source } = await openServers([everything]);
  const { asked, ask } = user(fill({ "https://example.com/go": "I opened it" }));
  const args = { url: "https://example.com/go", message: "Sign in." };
  const { content } = await callTool(source, "mcp__every__trigger-url-elicitation", args, { ask });
  expect(asked[0]?.questions[0]?.question).toContain(
    "of example.com yourself, if you trust it: https://example.com/go",
  );
  expect(content).toMatch(/accept/i);
  const plain = await callTool(
    source,
    "mcp__every__trigger-url-elicitation",
    { ...args, url: "file:///etc/passwd" },
    { ask },
  );
  expect(asked).toHaveLength(1);
  expect(plain.content).toMatch(/decline/i);
  expect((await callTool(source, "mcp__every__trigger-url-elicitation", args)).content).toMatch(/cancel/i);
});

test("the model is asked on behalf of a server that its user has named for it, once they have read what, and what it cost is the call's", async () => {
  const requests: SampleRequest[] = [];
  const sampler = async (request: SampleRequest) => {
    requests.push(request);
    const spent = { modelCalls: 1, usage: { ...noUsage, inputTokens: 5 }, costUsd: 0.5 };
    return await Promise.resolve({ text: "Forty-two.", model: "model-1", isWhole: true, spent });
  };
  const allowed = { ...everything, sampling: true };
  const { source } = await openServers([allowed], newFolder(), { sampler });
  const args = { prompt: "What is the answer?", maxTokens: 50 };
  const yes = user(fill({ "What is the answer?": "Allow once" }));
  const result = await callTool(source, "mcp__every__trigger-sampling-request", args, { ask: yes.ask });
  expect(result).toMatchObject({
    content: expect.stringContaining("Forty-two."),
    spent: { modelCalls: 1, costUsd: 0.5 },
  });
  expect(yes.asked[0]?.questions[0]?.question).toMatch(
    /of 50 tokens at most, at your cost, to this:\n.*What is the answer\?/s,
  );
  const no = user(fill({ "What is the answer?": "Refuse" }));
  const refused = await callTool(source, "mcp__every__trigger-sampling-request", args, { ask: no.ask });
  expect([refused.status, requests.length]).toEqual(["failed", 1]);
  expect(namesOf((await openServers([everything], newFolder(), { sampler })).source)).not.toContain(
    "mcp__every__trigger-sampling-request",
  );
});

slowTest("a server is shown the folders of the workspace, and what it says while it works is shown", async () => {
  const folder = newFolder();
  const { source } = await openServers([everything], folder);
  expect((await callTool(source, "mcp__every__get-roots-list", {})).content).toContain(pathToFileURL(folder).href);
  const said: string[] = [];
  const onOutput = (_stream: string, text: string): void => void said.push(text);
  const args = { duration: 0.2, steps: 2 };
  await callTool(source, "mcp__every__trigger-long-running-operation", args, { onOutput });
  expect(said.join("")).toContain("1/2");
});

test("a model reads the resources of a server, which are listed first, and a user those they name, with prompts", async () => {
  const { source, reader } = await openServers([everything]);
  const listed = await callTool(source, "mcp__every__read_mcp_resource", {});
  expect(listed.content).toMatch(/demo:\/\/resource\/\S+\{\w+\} \(a pattern: fill in what is in braces\)/);
  const uri = "demo://resource/dynamic/text/1";
  const read = await callTool(source, "mcp__every__read_mcp_resource", { uri });
  expect(read.content).toContain(`[resource ${uri}]\n`);
  const { signal } = new AbortController();
  expect(await reader.resource("every", uri, signal)).toContain("Resource 1");
  expect(await reader.prompt("every", "args-prompt", "Berlin Mitte", signal)).toContain("Berlin");
  await expect(reader.prompt("every", "args-prompt", "", signal)).rejects.toThrow('its argument "city" is missing');
  await expect(reader.prompt("every", "no-such", "", signal)).rejects.toThrow("there are simple-prompt");
  await expect(reader.resource("nobody", uri, signal)).rejects.toThrow('no MCP server "nobody"');
  expect((await reader.list("every", signal)).prompts).toContain("/mcp__every__args-prompt <city> [state]");
});
