import { type SessionClient, userText } from "@capstan/protocol";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { unixSockets } from "../../src/hub/unix-sockets.ts";
import { sharedHome } from "./shared-home.ts";

const identity = { frontend: "test", user: "ada", role: "operate" } as const;

test("a session that is opened while its last client leaves is open, every time", async () => {
  const home = sharedHome();
  const host = await home.open();
  const engine = host.client;
  let session: SessionClient = await engine.open({ type: "new" }, { identity, purpose: "drive" });
  for (let round = 0; round < 10; round += 1) {
    const content = userText("hello");
    expect((await session.submit({ type: "user-input", turnId: engine.newTurnId(), content })).type).toBe("accepted");
    const target = { type: "resume", id: session.id } as const;
    const [, one, other] = await Promise.all([
      session.close(),
      engine.open(target, { identity, purpose: "drive" }),
      engine.open(target, { identity, purpose: "drive" }),
    ]);
    expect(await session.submit({ type: "title", title: "late" })).toMatchObject({ code: "session.closed" });
    expect([await one.owner(), await other.owner()]).toEqual([{ type: "here" }, { type: "here" }]);
    await one.close();
    session = other;
  }
  await host.close();
  expect(await session.submit({ type: "title", title: "late" })).toMatchObject({ code: "session.closed" });
  home.remove();
});

test("a session closes although other processes are just opening it, every time", async () => {
  const home = sharedHome();
  const host = await home.open({ isShared: true });
  const sockets = unixSockets(join(home.root, "home", "run"), "1.2.3");
  let session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
  await session.submit({ type: "title", title: "opened from elsewhere" });
  const target = { type: "resume", id: session.id } as const;
  for (let round = 0; round < 10; round += 1) {
    await vi.waitFor(async () => expect(await sockets.answers(target.id)).toBe(true));
    const others = await Promise.all(Array.from({ length: 5 }, () => sockets.connect(target.id, identity)));
    // Each is let in before the session closes, or is turned away.
    const asked = Promise.allSettled(
      others.flatMap((other) => [
        other.open(target, { identity, purpose: "watch" }),
        other.sessions.rewind(target.id, { type: "back", conversation: true, files: false }, identity),
      ]),
    );
    await session.close();
    await asked;
    await Promise.all(others.map((other) => other.close()));
    session = await host.client.open(target, { identity, purpose: "drive" });
  }
  await host.close();
  home.remove();
});
