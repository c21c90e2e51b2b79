import { toInteractionId } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { allowUsers, type Middleware, rateLimit } from "../src/index.ts";
import { newPlace, rehearse } from "./library-place.ts";

const answers = (count: number): readonly object[] => Array.from({ length: count }, () => ({ text: "Yes." }));

test("only the named users come in, also to a session that is there, and in a second engine", async () => {
  const model = await rehearse(answers(2));
  const place = newPlace();
  const middleware = [allowUsers(["ann"])];
  const engine = place.engine(model, { middleware });
  const session = await engine.open({ type: "new" }, { user: "ann" });
  expect(await session.send("May I?").result()).toMatchObject({ outcome: "done" });
  const again = { type: "resume", id: session.id } as const;
  await expect(engine.open(again, { user: "bob" })).rejects.toMatchObject({ code: "door.user", message: /bob/ });
  await expect(engine.run("Hello.", { user: "bob" }).result()).rejects.toMatchObject({ code: "door.user" });
  await engine.shutdown();
  const second = place.engine(model, { middleware, user: "ann" });
  await expect(second.open(again, { user: "bob" })).rejects.toMatchObject({ code: "door.user" });
  expect(await second.run("May I still?", { session: session.id }).result()).toMatchObject({ outcome: "done" });
});

test("a user has as many messages at once as the burst says, in all sessions together, and each user its own", async () => {
  const model = await rehearse(answers(3));
  const engine = newPlace().engine(model, { middleware: [rateLimit({ perMinute: 0.001, burst: 2 })] });
  const [one, two] = [
    await engine.open({ type: "new" }, { user: "ann" }),
    await engine.open({ type: "new" }, { user: "ann" }),
  ];
  expect(await one.send("1").result()).toMatchObject({ outcome: "done" });
  await one.setMode("plan");
  expect(await two.send("2").result()).toMatchObject({ outcome: "done" });
  for (const session of [one, two])
    expect(await session.send("3").result()).toMatchObject({ type: "refused", code: "door.rate", hint: /Wait/ });
  expect(await engine.run("1", { user: "bob" }).result()).toMatchObject({ outcome: "done" });
  expect(model.exchanges).toHaveLength(3);
});

test("a rate that lets nothing in is said at once", () => {
  expect(() => rateLimit({ perMinute: 0 })).toThrow(/perMinute above 0/);
  expect(() => rateLimit({ perMinute: 1, burst: 0 })).toThrow(/burst of at least 1/);
});

test("middleware is asked in its order, and what the first refuses the next does not see", async () => {
  const seen: string[] = [];
  const watcher = (name: string): Middleware => ({
    name,
    enter: ({ identity }) => {
      seen.push(`${name} enter ${identity.user}`);
      return undefined;
    },
    submit: ({ type }) => {
      seen.push(`${name} ${type}`);
      return undefined;
    },
  });
  const noSecrets: Middleware = {
    name: "no-secrets",
    submit: (submission) =>
      JSON.stringify(submission).includes("secret") ? { type: "refuse", reason: "no secrets, please" } : undefined,
  };
  const model = await rehearse(answers(1));
  const engine = newPlace().engine(model, { middleware: [watcher("first"), noSecrets, watcher("last")] });
  const session = await engine.open({ type: "new" }, { user: "ann" });
  expect(await session.send("a secret").result()).toEqual({
    type: "refused",
    code: "door.middleware",
    reason: "no secrets, please",
  });
  expect(await session.send("a word").result()).toMatchObject({ outcome: "done" });
  expect(seen).toEqual([
    "first enter ann",
    "last enter ann",
    "first user-input",
    "first user-input",
    "last user-input",
  ]);
});

test("a role can be made less, and never more, and the next middleware finds it so", async () => {
  const roles: string[] = [];
  const raise: Middleware = {
    name: "raise",
    enter: ({ identity }) => {
      roles.push(identity.role);
      return { type: "lower", role: "operate" };
    },
  };
  const guests: Middleware = {
    name: "guests",
    enter: ({ identity }) => (identity.user === "guest" ? { type: "lower", role: "watch" } : undefined),
  };
  const model = await rehearse(answers(1));
  const engine = newPlace().engine(model, { middleware: [raise, guests, raise] });
  const own = await engine.open({ type: "new" }, { user: "ann", role: "drive" });
  await expect(own.setMode("auto")).rejects.toThrow(/operate/);
  expect(await own.send("Hello.").result()).toMatchObject({ outcome: "done" });
  const guest = await engine.open({ type: "resume", id: own.id }, { user: "guest" });
  expect(await guest.send("Hello.").result()).toMatchObject({ type: "refused", code: "door.role" });
  expect(roles).toEqual(["drive", "drive", "operate", "watch"]);
});

describe("a check that could not be made was not passed:", () => {
  test("middleware that throws refuses, is reported, and is asked again the next time", async () => {
    const reported: unknown[] = [];
    let isDown = true;
    const directory: Middleware = {
      name: "directory",
      submit: async () => {
        await Promise.resolve();
        if (isDown) throw new Error("the directory is down");
        return undefined;
      },
    };
    const model = await rehearse(answers(1));
    const engine = newPlace().engine(model, {
      middleware: [directory],
      report: (error) => reported.push(String(error)),
    });
    const session = await engine.open();
    expect(await session.send("Hello.").result()).toMatchObject({
      code: "door.middleware",
      reason: "the middleware directory failed",
    });
    isDown = false;
    expect(await session.send("Hello.").result()).toMatchObject({ outcome: "done" });
    expect(reported).toEqual(["Error: the directory is down"]);
  });

  test("an answer from the inbox goes through it, too", async () => {
    const engine = newPlace().engine(await rehearse(answers(1)), { middleware: [allowUsers(["ann"])], user: "ann" });
    const session = await engine.open();
    const { interactions } = await engine.client();
    const place = { sessionId: session.id, interactionId: toInteractionId("none") };
    const answering = (user: string): Promise<unknown> =>
      interactions.answer(place, { type: "deny" }, { frontend: "library", role: "operate", user });
    await expect(answering("bob")).rejects.toMatchObject({ code: "door.user" });
    expect(await answering("ann")).toMatchObject({ type: "refused", code: "interaction.unknown" });
  });
});

test("whoever joins an open session from another process goes through the owner's middleware, each time", async () => {
  const model = await rehearse(answers(2));
  const place = newPlace();
  const owner = place.engine(model, { isShared: true, middleware: [allowUsers(["ann"])], user: "ann" });
  const session = await owner.open();
  expect(await session.send("Hello.").result()).toMatchObject({ outcome: "done" });
  const other = place.engine(model, { isShared: true });
  for (let time = 0; time < 2; time += 1) {
    const joining = other.open({ type: "resume", id: session.id }, { user: "bob" });
    await expect(joining).rejects.toMatchObject({ code: "door.user", message: "bob may not use this engine" });
  }
  const joined = await other.open({ type: "resume", id: session.id }, { user: "ann" });
  expect(await joined.send("Hello.").result()).toMatchObject({ outcome: "done" });
});
