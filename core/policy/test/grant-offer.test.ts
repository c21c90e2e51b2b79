import { expect, test } from "vitest";
import { grantOffer } from "../src/grant-offer.ts";
import { commandAction } from "./situations.ts";

function offer(hosts: readonly string[], open: readonly string[], cwd = "/ws"): string | undefined {
  const action = commandAction("npm ci");
  const confinement = { type: "sandbox", workspace: "write", hosts, writable: [] } as const;
  return grantOffer({ ...action, command: { ...action.command, confinement } }, open, cwd)?.text;
}

test("only what nobody opened yet is offered to be remembered", () => {
  expect(offer([], [])).toBe("run_command(npm ci)");
  expect(offer(["a.org"], [])).toBe("run_command(a.org)");
  expect(offer(["a.org"], ["b.org"])).toBe("run_command(a.org)");
  expect(offer(["a.org"], ["*.org", "a.org"])).toBe("run_command(npm ci)");
  expect(offer(["a.org", "x.b.org"], ["*.b.org"])).toBe("run_command(a.org)");
  expect(offer(["a.org", "c.org"], ["b.org"])).toBeUndefined();
});

test("what starts in another folder is not offered: remembered, it would open the same words here", () => {
  expect(offer([], [], "/ws/other")).toBeUndefined();
});
