/** Of the inbox, what belongs to the agents of one session. */
import { type InboxEntry, type Interaction, toInteractionId, toSessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { AgentQuestions } from "../src/index.ts";

const root = toSessionId("root");

function entry(id: string, callers: readonly string[]): InboxEntry {
  const interaction: Interaction = {
    id: toInteractionId(id),
    digest: "",
    openedAt: 0,
    expiresAt: null,
    origin: { frontend: "test" },
    answerers: [],
    request: { type: "budget", limit: "tokens", used: 1, allowed: 1 },
  };
  const agent = callers.length === 0 ? {} : { agent: { name: "bash", callers: callers.map(toSessionId) } };
  return { sessionId: toSessionId(`of-${id}`), title: "", cwd: "/", owner: null, interaction, ...agent };
}

/** An inbox whose states come one after the other. */
function inboxOf(states: readonly (readonly InboxEntry[])[]): {
  readonly opened: () => number;
  watch(): AsyncIterable<readonly InboxEntry[]>;
} {
  let opened = 0;
  return {
    opened: () => opened,
    async *watch() {
      opened += 1;
      yield* states;
    },
  };
}

test("questions of a session's agents, and of theirs, are its own; others are not", async () => {
  const inbox = inboxOf([
    [entry("user", []), entry("other", ["elsewhere"]), entry("mine", ["root"]), entry("deep", ["child", "root"])],
  ]);
  const changed = waiter();
  const questions = new AgentQuestions(inbox, root, { changed: changed.resolve, failed: changed.reject });
  questions.begin();
  questions.begin();
  await changed.promise;
  expect(questions.pending.map(({ id }) => id)).toEqual(["mine", "deep"]);
  expect([questions.find("deep")?.sessionId, questions.find("other"), inbox.opened()]).toEqual([
    "of-deep",
    undefined,
    1,
  ]);
});

test("an inbox that fails is reported, and after a stop nothing is", async () => {
  const failing = {
    watch: (): AsyncIterable<readonly InboxEntry[]> => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("the store is gone")) }),
    }),
  };
  const failed = waiter();
  const listeners = { changed: () => undefined, failed: failed.resolve };
  new AgentQuestions(failing, root, listeners).begin();
  expect(await failed.promise).toMatchObject({ message: "the store is gone" });
  const inbox = inboxOf([[entry("mine", ["root"])]]);
  const stopped = new AgentQuestions(inbox, root, { changed: failed.reject, failed: failed.reject });
  stopped.stop();
  stopped.begin();
  expect([stopped.pending, inbox.opened()]).toEqual([[], 0]);
});

function waiter(): {
  readonly promise: Promise<unknown>;
  readonly resolve: (value?: unknown) => void;
  readonly reject: (error?: unknown) => void;
} {
  let [resolve, reject]: ((value?: unknown) => void)[] = [];
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve: (value) => resolve?.(value), reject: (error) => reject?.(error) };
}
