import { type Grant, toInteractionId, toSessionId } from "@capstan/protocol";
import { expect } from "vitest";
import type { Check } from "./session-store-check.ts";
import { notice } from "./sample-records.ts";

/** Approvals that hold beyond a session. */
export function grantPromises(check: Check): void {
  check("grants outlive the process that added them", async ({ store, reopen }) => {
    await store.grants.add(grant("g1", 1));
    const again = reopen === undefined ? store : await reopen();
    expect(await again.grants.list()).toEqual([grant("g1", 1)]);
    await again.close();
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
