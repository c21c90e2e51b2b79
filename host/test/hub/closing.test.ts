import { type SessionClient, userText } from "@capstan/protocol";
import { expect, test } from "vitest";
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
