import type { JournalRecord } from "@capstan/protocol";
import { ToolRefusal } from "@capstan/protocol";
import { createRedactor } from "@capstan/runtime";
import {
  allowing,
  call,
  callAnswer,
  nextRecord,
  providerFailure,
  scriptedTools,
  sessionConfig,
  textAnswer,
  type ToolScript,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { journalOf, openSession, say } from "./open-session.ts";

const secret = "hunter2-hunter2";

test.each<[string, string, string]>([
  ["a given value", `key=${secret};`, "key=***;"],
  ["a given value again and again", `${secret}${secret}`, "******"],
  ["a short value is no secret", "the word abc stays", "the word abc stays"],
  ["an Anthropic key", "sk-ant-api03-AAAABBBBCCCCDDDDEEEE", "sk-ant-***"],
  ["an OpenAI key", "Bearer sk-proj-AAAABBBBCCCCDDDDEEEE!", "Bearer sk-proj-***!"],
  ["a Google key", "AIzaSyA1234567890abcdefghij", "AIza***"],
  ["a GitHub token", "ghp_0123456789abcdefghijABCDEFGHIJ", "ghp_***"],
  ["a word that only begins like one", "sk-short and ghp_x", "sk-short and ghp_x"],
  [
    "a private key",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nrest",
    "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nrest",
  ],
  ["a private key that is cut off", "-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----***"],
])("%s", (_case, text, expected) => {
  expect(createRedactor([secret, "abc"])(text)).toBe(expected);
});

test("a text that comes again is shown alike, however many came in between", () => {
  const redact = createRedactor([secret]);
  const texts = Array.from({ length: 1000 }, (_none, at) => `part-${at}: ${at % 3 === 0 ? secret : "nothing"}`);
  const shown = texts.map((text) => text.replace(secret, "***"));
  for (let round = 0; round < 3; round += 1) expect(texts.map((text) => redact(text))).toEqual(shown);
  expect(createRedactor([])(`part-0: ${secret}`)).toBe(`part-0: ${secret}`);
});

test("the longer of two secrets that contain each other goes whole", () => {
  expect(createRedactor(["password1", "password1-and-more"])("password1-and-more password1")).toBe("*** ***");
});

test("no given secret survives, wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{8,12}$/), { minLength: 1, maxLength: 4 }),
      fc.string(),
      fc.string(),
      (secrets, before, after) => {
        const redacted = createRedactor(secrets)(secrets.map((value) => before + value + after).join(" "));
        for (const value of secrets) expect(redacted).not.toContain(value);
      },
    ),
  );
});

const config = sessionConfig({ policy: { rules: [allowing("act"), allowing("change")] } });

/** The journal of a turn in which `tool` behaves as scripted. */
async function journalWith(
  tool: string,
  script: ToolScript,
  strategy: "review" | "sequential" = "sequential",
): Promise<readonly JournalRecord[]> {
  const { session, store } = await openSession({
    secrets: [secret],
    tools: scriptedTools({ [tool]: script }),
    config: { ...config, strategy },
    script: [
      { type: "answer", finish: callAnswer([call("a", tool)]) },
      { type: "answer", finish: textAnswer("done") },
    ],
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  await session.close();
  return journalOf(store);
}

const diff = { path: "a", kind: "modified", addedLines: 1, removedLines: 0, diff: `+${secret}` } as const;

test.each<[string, string, ToolScript, "review" | "sequential"]>([
  [
    "a result, its details and its changes",
    "look",
    {
      run: async () => ({
        status: "ok",
        content: `x ${secret}`,
        details: { deep: [secret, 1, null] },
        changes: [diff],
      }),
    },
    "sequential",
  ],
  [
    "a failure",
    "look",
    { run: async () => ({ status: "failed", code: "tool.failed", content: secret }) },
    "sequential",
  ],
  ["an exception", "look", { run: () => Promise.reject(new Error(`cannot open ${secret}`)) }, "sequential"],
  [
    "a refusal",
    "look",
    { prepare: () => Promise.reject(new ToolRefusal("rejected", "path.invalid", `no ${secret}`)) },
    "sequential",
  ],
  ["an exception of the preparation", "look", { prepare: () => Promise.reject(new Error(secret)) }, "sequential"],
  [
    "a stale file",
    "change",
    { stage: () => Promise.reject(new ToolRefusal("rejected", "file.stale", secret)) },
    "sequential",
  ],
  [
    "a proposal",
    "change",
    { stage: async () => ({ settle: { files: [] }, changes: [diff], proposal: `+${secret}`, data: null }) },
    "review",
  ],
  [
    "live output",
    "act",
    {
      run: async (_action, context) => {
        context.onOutput("stdout", `printing ${secret}`);
        return { status: "ok", content: "ran" };
      },
    },
    "sequential",
  ],
])("a secret never reaches the journal through %s", async (_way, tool, script, strategy) => {
  const journal = await journalWith(tool, script, strategy);
  expect(JSON.stringify(journal)).not.toContain(secret);
  expect(journal.some((record) => record.type === "tool-finished")).toBe(true);
});

test("a secret in a provider's error never reaches the journal", async () => {
  const failure = providerFailure({ retryable: false, message: `key ${secret} was refused` });
  const { session, store } = await openSession({ secrets: [secret], script: [{ type: "fail", failure }] });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  expect((await ended).message).toBe("key *** was refused");
  expect(JSON.stringify(await journalOf(store))).not.toContain(secret);
});
