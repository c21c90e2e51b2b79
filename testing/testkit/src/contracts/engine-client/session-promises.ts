import { AppError, toSessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { begin, ended, identityOf, join, type MakeEngine, say, typesOf, using } from "./under-test.ts";

export function sessionPromises(make: MakeEngine): void {
  test("a session that is closed and opened again continues where it was", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const first = await say(engine, session, "hello");
      await ended(session, first.turnId);
      const before = await engine.sessions.read(session.id, 0);
      await session.close();
      const again = await join(engine, session.id);
      expect(again.recovery).toMatchObject({ waits: false });
      const second = await say(engine, again, "hello again");
      await ended(again, second.turnId);
      const after = await engine.sessions.read(session.id, 0);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(typesOf(after).filter((type) => type === "turn-ended")).toHaveLength(2);
    });
  });

  test("a fork begins with the same words and has a journal of its own", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      await ended(session, (await say(engine, session, "hello")).turnId);
      const before = await engine.sessions.read(session.id, 0);
      const fork = await engine.open(
        { type: "fork", id: session.id },
        { identity: identityOf("operate"), purpose: "drive" },
      );
      expect(fork.id).not.toBe(session.id);
      await ended(fork, (await say(engine, fork, "go elsewhere")).turnId);
      expect(await engine.sessions.read(session.id, 0)).toEqual(before);
      expect(typesOf(await engine.sessions.read(fork.id, 0)).filter((type) => type === "turn-started")).toHaveLength(2);
    });
  });

  test("a session that there is not is an error with a code", async () => {
    await using(make, async ({ connect }) => {
      const error = await join(await connect(), toSessionId("no-such-session")).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: "session.unknown" });
    });
  });
}
