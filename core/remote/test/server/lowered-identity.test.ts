/** A client's word about itself: its role only falls, at every place where it can be said. */
import { type ClientIdentity, includesRole, lesserRole, type Role, roles } from "@capstan/protocol";
import { memoryEngine } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RemoteEngine, serveEngine } from "../../src/index.ts";
import { loweredIdentity } from "../../src/server/lowered-identity.ts";
import { connected } from "../pipe.ts";

const role = fc.constantFrom(...roles);

async function connect(identity: ClientIdentity, said: Role, mayName = true): Promise<RemoteEngine> {
  const { client, server } = connected();
  void serveEngine(memoryEngine(), server, { identity, mayName, version: "1", processId: 1 });
  return RemoteEngine.connect(client, { role: said });
}

test("no role that a client names, at the greeting or at an opening, is more than it was given", async () => {
  await fc.assert(
    fc.asyncProperty(role, role, role, async (given, greeted, opened) => {
      const engine = await connect({ frontend: "test", role: given }, greeted);
      const most = lesserRole(given, greeted);
      expect(engine.identity.role).toBe(most);
      const opening = engine.open({ type: "new" }, { identity: { frontend: "test", role: opened }, purpose: "drive" });
      const got = await opening.then(
        ({ identity }) => identity.role,
        ({ code }: { readonly code: string }) => code,
      );
      expect(got).toBe(includesRole(most, "ask") ? lesserRole(most, opened) : "door.role");
      await engine.close();
    }),
    { numRuns: 125 },
  );
});

test("an operation that takes more than the client's role is refused, also where it names another", async () => {
  const engine = await connect({ frontend: "test", role: "approve" }, "operate");
  const identity = { frontend: "test", role: "operate" } as const;
  await expect(engine.grants.revoke("g", identity)).rejects.toMatchObject({ code: "door.role" });
  const session = await engine.open({ type: "new" }, { identity, purpose: "drive" });
  await expect(engine.sessions.delete(session.id, { frontend: "test", role: "operate" })).rejects.toMatchObject({
    code: "door.role",
  });
  await engine.close();
});

test("nobody takes a name that is another's, or any where names are fixed", () => {
  const known: ClientIdentity = { frontend: "server", user: "ada", role: "drive" };
  const nameless: ClientIdentity = { frontend: "socket", role: "operate" };
  expect(loweredIdentity(nameless, { user: "ada", frontend: "cli" }, true)).toEqual({
    frontend: "cli",
    user: "ada",
    role: "operate",
  });
  expect(loweredIdentity(known, { user: "ada", frontend: "server" }, false)).toEqual(known);
  expect(() => loweredIdentity(known, { user: "grace" }, true)).toThrow(/another user/);
  expect(() => loweredIdentity(nameless, { user: "ada" }, false)).toThrow(/another user/);
  expect(() => loweredIdentity(known, { frontend: "cli" }, false)).toThrow(/another frontend/);
});
