import { expect, test } from "vitest";
import { compareBodies } from "../../src/replay/compare-bodies.ts";

const recorded = {
  model: "m",
  system: "Be brief.",
  tools: [{ name: "read" }, { name: "write" }],
  messages: [
    { role: "user", content: [{ type: "text", text: "Working directory: /srv/one\nDate: 2026-01-02\nHello" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: { path: "a.txt", lines: 3 } }] },
  ],
};

test("the first difference is reported with its place, and what makes the shape comes first", () => {
  check({}, undefined);
  check({ messages: recorded.messages.slice(1) }, "messages: 2 were recorded, 1 came");
  check({ tools: [{ name: "read" }, { name: "grep" }] }, 'tools[1].name: "write" was recorded, "grep" came');
  check({ tools: [{ name: "read" }] }, "tools: 2 were recorded, 1 came (without write)");
  check({ system: "Be long.", tools: [] }, "tools: 2 were recorded, 0 came (without read, write)");
  check({ system: "Be long." }, 'system: "Be brief." was recorded, "Be long." came');
  check({ max_tokens: 7 }, "max_tokens: came, but was not recorded");
  check({ model: undefined }, "model: was recorded, but did not come");
  check(
    { messages: [recorded.messages[1], recorded.messages[0]] },
    'messages[0].role: "user" was recorded, "assistant" came',
  );
  const calls = (input: object): object => ({
    messages: [
      recorded.messages[0],
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input }] },
    ],
  });
  check(calls({ path: "b.txt", lines: 3 }), 'messages[1].content[0].input.path: "a.txt" was recorded, "b.txt" came');
  check(calls({ path: "a.txt", lines: 4 }), "messages[1].content[0].input.lines: 3 was recorded, 4 came");
  check(calls({ path: "a.txt" }), "messages[1].content[0].input.lines: was recorded, but did not come");
});

test("what names a user, a session or a cache is left out", () => {
  check({ metadata: { user_id: "u" }, user: "u", prompt_cache_key: "k", safety_identifier: "s" }, undefined);
  check({ tools: recorded.tools.map((tool) => ({ ...tool, cache_control: { type: "ephemeral" } })) }, undefined);
});

test("texts are the same but for dates, durations, ids, directories and removed secrets", () => {
  checkText("It is 2026-01-02.", "It is 2027-11-30.", true);
  checkText("at 2026-01-02T03:04:05.678Z", "at 2027-11-30T23:00:00Z", true);
  checkText("Exit code 0 after 0.3 s.", "Exit code 0 after 12.1 s.", true);
  checkText("duration_ms 12.5\nok 1", "duration_ms 7\nok 1", true);
  checkText("session 0198f0a2-1c2d-7e3f-8a4b-5c6d7e8f9a0b", "session 1198f0a2-1c2d-7e3f-8a4b-5c6d7e8f9a0c", true);
  checkText("in /tmp/one-x1/a.txt", "in /tmp/other/a.txt", true);
  checkText("in /tmp/one-x1/a.txt", "in /tmp/other/b.txt", false);
  checkText("in /home/ann/a.txt", "in /Users/bob/a.txt", true);
  checkText("Working directory: /srv/one\nsee /srv/one/a", "Working directory: /opt/two\nsee /opt/two/a", true);
  checkText("Working directory: /srv/one\nsee /srv/one/a", "Working directory: /opt/two\nsee /opt/two/b", false);
  checkText("<cwd>/srv/one</cwd> /srv/one/a", "<cwd>/opt/two</cwd> /opt/two/a", true);
  checkText("key=*** end", "key=anything at all end", true);
  checkText("key=*** end", "key=anything at all", false);
  checkText("a *** b *** c", "a 1 b 2 c", true);
  checkText("a *** b *** c", "a 1 c", false);
  checkText("3 passed", "4 passed", false);
});

function check(changes: object, expected: string | undefined): void {
  const came: unknown = JSON.parse(JSON.stringify({ ...recorded, ...changes }));
  expect(compareBodies(recorded, came)).toBe(expected);
}

function checkText(one: string, other: string, isSame: boolean): void {
  expect([compareBodies({ text: one }, { text: other }) === undefined, one]).toEqual([isSame, one]);
}
