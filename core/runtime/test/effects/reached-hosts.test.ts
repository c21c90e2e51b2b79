import { setImmediate } from "node:timers/promises";
import type { UserReply } from "@capstan/ports";
import { type Question, toToolCallId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { ReachedHosts } from "../../src/effects/reached-hosts.ts";

const [one, two] = [toToolCallId("c1"), toToolCallId("c2")];
const npm = { host: "registry.npmjs.org", port: 443 };

interface Asked {
  readonly host: string;
  readonly question: string;
  reply(word: string | undefined): void;
}

function user() {
  const asked: Asked[] = [];
  const ask = async (host: string, [first]: readonly Question[]): Promise<UserReply> =>
    await new Promise((resolve) => {
      const reply = (word: string | undefined): void =>
        resolve(word === undefined ? { type: "unanswered" } : { type: "answered", answers: [[word]] });
      asked.push({ host, question: first?.question ?? "", reply });
    });
  return { asked, ask };
}

test("two connections to one host wait for one answer, a yes holds for the session, and another port is another question", async () => {
  const hosts = new ReachedHosts();
  const { asked, ask } = user();
  const both = [
    hosts.ask({ callId: one, place: npm, ask }),
    hosts.ask({ callId: two, place: { ...npm, port: 80 }, ask }),
  ];
  expect(asked.map(({ host }) => host)).toEqual(["registry.npmjs.org"]);
  asked[0]?.reply("Yes");
  expect(await Promise.all(both)).toEqual([true, true]);
  hosts.forget(one);
  expect(await hosts.ask({ callId: two, place: npm, ask })).toBe(true);
  expect(asked.length).toBe(1);
  const other = hosts.ask({ callId: two, place: { ...npm, port: 8443 }, ask });
  asked[1]?.reply("No");
  expect([await other, asked[1]?.host]).toEqual([false, "registry.npmjs.org:8443"]);
});

test("a no holds for its call and no other, and words that are no yes are none", async () => {
  const hosts = new ReachedHosts();
  const { asked, ask } = user();
  const first = hosts.ask({ callId: one, place: npm, ask });
  const beside = hosts.ask({ callId: two, place: npm, ask });
  asked[0]?.reply("yes, and everything else");
  expect(await first).toBe(false);
  expect(await hosts.ask({ callId: one, place: npm, ask })).toBe(false);
  await setImmediate();
  asked[1]?.reply(undefined);
  expect(await beside).toBe(false);
  hosts.forget(one);
  const again = hosts.ask({ callId: one, place: npm, ask });
  await setImmediate();
  asked[2]?.reply("Yes");
  expect([await again, asked.length]).toEqual([true, 3]);
});
