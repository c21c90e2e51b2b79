import {
  includesRole,
  type Role,
  roles,
  type Submission,
  toInteractionId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { expect, test } from "vitest";
import { checkRefused } from "./submit-promises.ts";
import { begin, identityOf, join, type MakeEngine, using } from "./under-test.ts";

/** The least role that may send each of these; what it does then is another matter. */
const needed: readonly (readonly [Role, Submission])[] = [
  ["ask", { type: "user-input", turnId: toTurnId("role-turn"), content: userText("hello") }],
  ["drive", { type: "cancel", reason: "interrupted", turnId: toTurnId("none") }],
  ["drive", { type: "queue-change", turnId: toTurnId("none"), change: { type: "remove" } }],
  ["drive", { type: "title", title: "A name" }],
  ["drive", { type: "set", settings: { mode: "plan" } }],
  ["approve", { type: "run-for-user", turnId: toTurnId("role-command"), command: { script: " " } }],
  ["approve", { type: "answer", interactionId: toInteractionId("none"), answer: { type: "deny" } }],
  ["operate", { type: "set", settings: { mode: "auto" } }],
  ["operate", { type: "rewind", keepTurns: 0, conversation: true, files: false }],
];

export function rolePromises(make: MakeEngine): void {
  test.each(roles)("a client with the role `%s` is refused what takes more, and only that", async (role) => {
    await using(make, async ({ connect }) => {
      const session = await join(await connect(), (await begin(await connect())).id, identityOf(role));
      for (const [least, submission] of needed) {
        const receipt = await session.submit(submission);
        const isRefused = receipt.type === "refused" && receipt.code === "door.role";
        expect([submission.type, isRefused]).toEqual([submission.type, !includesRole(role, least)]);
      }
    });
  });

  test("a client that is refused leaves no record", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const watcher = await join(await connect(), session.id, identityOf("watch"));
      const before = (await session.snapshot()).seq;
      for (const [, submission] of needed) checkRefused(await watcher.submit(submission), "door.role");
      expect((await session.snapshot()).seq).toBe(before);
    });
  });

  test("an identity that is given when a session is opened is what counts there", async () => {
    await using(make, async ({ connect }) => {
      const session = await begin(await connect(), identityOf("drive", "grace"));
      expect(session.identity).toEqual({ frontend: "test", user: "grace", role: "drive" });
      checkRefused(
        await session.submit({ type: "rewind", keepTurns: 0, conversation: true, files: false }),
        "door.role",
      );
    });
  });
}
