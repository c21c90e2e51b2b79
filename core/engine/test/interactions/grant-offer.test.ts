import { expect, test } from "vitest";
import { grantOffer } from "../../src/interactions/grant-offer.ts";
import { commandAction } from "../gatekeeper/scenes.ts";

function offer(hosts: readonly string[], open: readonly string[]): string | undefined {
  const action = commandAction("npm ci");
  const confinement = { type: "sandbox", workspace: "write", hosts, writable: [] } as const;
  return grantOffer(
    { ...action, arguments: {}, summary: "npm ci", digest: "d", command: { ...action.command, confinement } },
    open,
  )?.text;
}

test("only what nobody opened yet is offered to be remembered", () => {
  expect(offer([], [])).toBe("run_command(npm ci)");
  expect(offer(["a.org"], [])).toBe("run_command(a.org)");
  expect(offer(["a.org"], ["b.org"])).toBe("run_command(a.org)");
  expect(offer(["a.org"], ["*.org", "a.org"])).toBe("run_command(npm ci)");
  expect(offer(["a.org", "x.b.org"], ["*.b.org"])).toBe("run_command(a.org)");
  expect(offer(["a.org", "c.org"], ["b.org"])).toBeUndefined();
});
