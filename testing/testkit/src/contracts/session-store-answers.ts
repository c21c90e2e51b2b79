import type { PostedAnswer } from "@capstan/ports";
import { type Grant, type Origin, toInteractionId, toSessionId } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Check } from "./session-store-check.ts";
import { notice } from "./sample-records.ts";

/** Answers on their way, and approvals that hold beyond a session. */
export function answerPromises(check: Check): void {
  check(
    "posted answers wait in the order in which they came, per session, until they are removed",
    async ({ store }) => {
      expect(await store.postedAnswers(session)).toEqual([]);
      for (const name of ["b", "a", "c"]) await store.postAnswer(session, posted(name));
      await store.postAnswer(other, posted("d"));
      await store.removeAnswer(session, "a");
      await store.removeAnswer(session, "d");
      await store.removeAnswer(session, "nobody's");
      expect(await store.postedAnswers(session)).toEqual([posted("b"), posted("c")]);
      expect(await store.postedAnswers(other)).toEqual([posted("d")]);
      await store.postAnswer(session, posted("a"));
      expect((await store.postedAnswers(session)).map(({ answerId }) => answerId)).toEqual(["b", "c", "a"]);
    },
  );

  check("an answer that is posted twice is there once, as it was first", async ({ store }) => {
    await store.postAnswer(session, posted("a"));
    await store.postAnswer(session, { ...posted("a"), answer: { type: "approve", digest: "d" } });
    expect(await store.postedAnswers(session)).toEqual([posted("a")]);
  });

  check("posted answers outlive the process that posted them, and need no session and no lease", async (under) => {
    const { store, reopen } = under;
    await store.claim(session, { owner, beatMs: 1, at: 1, isGone: () => false });
    await store.postAnswer(session, posted("a"));
    await store.grants.add(grant("g1", 1));
    const again = reopen === undefined ? store : await reopen();
    expect(await again.postedAnswers(session)).toEqual([posted("a")]);
    expect(await again.grants.list()).toEqual([grant("g1", 1)]);
    await again.close();
  });

  check("posted answers are no part of the journal, and the session's deletion takes them", async ({ store }) => {
    await store.append(session, { after: 0, at: 5, records: [notice("a")], flush: false });
    const before = [await store.readChained(session), await store.list()];
    await store.postAnswer(session, posted("a"));
    await store.postAnswer(other, posted("b"));
    expect([await store.readChained(session), await store.list(), await store.check(session)]).toEqual([...before, []]);
    await store.delete(session);
    expect(await store.postedAnswers(session)).toEqual([]);
    expect(await store.postedAnswers(other)).toEqual([posted("b")]);
  });

  check("any answer, message and user comes back as it was posted", async ({ store }) => {
    let number = 0;
    const origins = fc.record({ frontend: fc.string(), user: fc.string() });
    const property = fc.asyncProperty(fc.string(), origins, async (message, origin: Origin) => {
      number += 1;
      const id = toSessionId(`s${number}`);
      const answer = { ...posted(`a${number}`), answer: { type: "deny", message } as const, origin };
      await store.postAnswer(id, answer);
      expect(await store.postedAnswers(id)).toEqual([answer]);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  check("grants are listed oldest first, added once, removed once, and outlive their session", async ({ store }) => {
    await store.grants.add(grant("later", 9));
    await store.grants.add(grant("first", 2));
    await store.grants.add({ ...grant("first", 2), scope: "session" });
    await store.append(session, { after: 0, at: 5, records: [notice("a")], flush: false });
    await store.delete(session);
    expect(await store.grants.list()).toEqual([grant("first", 2), grant("later", 9)]);
    expect([await store.grants.remove("first"), await store.grants.remove("first")]).toEqual([true, false]);
    expect(await store.grants.list()).toEqual([grant("later", 9)]);
  });
}

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const other = toSessionId("01b");
const owner = { id: "1", processId: 1, processStart: "", bootId: "", processNamespace: "", frontend: "cli" };

function posted(name: string): PostedAnswer {
  return {
    answerId: name,
    interactionId: toInteractionId("t1.i1"),
    answer: { type: "deny", message: `words of ${name}\u2028` },
    origin: { frontend: "cli", user: "someone" },
  };
}

function grant(id: string, grantedAt: number): Grant {
  return {
    id,
    rule: {
      verdict: "allow",
      tool: "run_command",
      command: "npm test",
      source: "grant",
      text: "run_command(npm test)",
    },
    scope: "always",
    grantedAt,
    sessionId: session,
    interactionId: toInteractionId("t1.i1"),
    cwd: "/work",
  };
}
