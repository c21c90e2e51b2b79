/** A session whose process offers no socket is answered where it runs, or when it has ended. */
import { userText } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import { Followed } from "../hub/followed.ts";
import { sharedHome } from "../hub/shared-home.ts";

test("an answer to a session that its process does not offer is refused with who has it, and counts once that has ended", async () => {
  const home = sharedHome();
  onTestFinished(() => home.remove());
  const identity = { frontend: "tui", user: "ada", role: "operate" } as const;
  const owner = await home.open({ isShared: false });
  const session = await owner.client.open({ type: "new" }, { identity, purpose: "drive" });
  const seen = new Followed(session);
  await session.submit({ type: "user-input", turnId: owner.client.newTurnId(), content: userText("ask go") });
  await seen.until((frame) => frame.type === "record" && frame.event.record.type === "interaction-opened");
  const other = await home.open({ isShared: true });
  onTestFinished(() => other.close());
  const [entry] = await other.client.interactions.list();
  if (entry === undefined) throw new Error("nothing waits");
  const place = { sessionId: session.id, interactionId: entry.interaction.id };
  expect(await other.client.interactions.answer(place, { type: "deny" }, identity)).toEqual({
    type: "refused",
    code: "session.busy",
    reason: `process ${process.pid} (tui) has the session and does not offer it to other processes`,
    hint: "Answer where it runs, or when it has ended: the question waits.",
  });
  await seen.close();
  await owner.close();
  const waiting = (await other.client.interactions.list()).map(({ interaction }) => interaction.id);
  expect(waiting).toEqual([entry.interaction.id]);
  expect(await other.client.interactions.answer(place, { type: "deny" }, identity)).toMatchObject({ type: "accepted" });
});
