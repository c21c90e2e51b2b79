import { expect, test } from "vitest";
import { notificationBytes, notificationWayOf } from "../../src/terminal/notification.ts";

test.each([
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "osc-9"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "osc-9"],
  [{ TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "osc-9"],
  [{ TERM: "xterm-kitty" }, "osc-99"],
  [{ TERM: "foot" }, "osc-777"],
  [{ TERM: "rxvt-unicode-256color" }, "osc-777"],
  [{ TERM: "xterm-256color" }, "bell"],
  [{ TERM: "tmux-256color", TERM_PROGRAM: "tmux", TMUX: "/tmp/tmux-0/default,1,0" }, "bell"],
  [{ TERM: "xterm-kitty", STY: "1.screen" }, "bell"],
  [{}, "bell"],
] as const)("the terminal of %j is notified by %s", (env, way) => {
  expect(notificationWayOf(env)).toBe(way);
});

test("each way ends as its terminals want it, and the bell says nothing", () => {
  expect(notificationBytes("osc-9", "waiting for you")).toBe("\u001b]9;Capstan: waiting for you\u001b\\");
  expect(notificationBytes("osc-99", "the turn has ended")).toBe("\u001b]99;;Capstan: the turn has ended\u001b\\");
  expect(notificationBytes("osc-777", "waiting for you")).toBe("\u001b]777;notify;Capstan;waiting for you\u001b\\");
  expect(notificationBytes("bell", "waiting for you")).toBe("\u0007");
});
