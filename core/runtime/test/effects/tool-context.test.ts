import type { SessionState } from "@capstan/session";
import { type PermissionMode, permissionModes, toTurnId } from "@capstan/protocol";
import { play, says, sessionConfig, submit } from "@capstan/testkit";
import { expect, test } from "vitest";
import { toolContext } from "../../src/effects/tool-context.ts";

const { signal } = new AbortController();

function stateIn(mode: PermissionMode, ...stimuli: Parameters<typeof play>[0]): SessionState {
  return play(stimuli, sessionConfig({ mode, askPolicy: "ask" })).state;
}

test("calls of a turn are prepared in the session's mode, and a reader's turn in plan mode", () => {
  for (const mode of permissionModes) {
    const state = stateIn(mode, says("t1"));
    expect(toolContext(state, signal).mode).toBe(mode);
    if (!("turn" in state.operation)) throw new Error("a turn is open");
    const turn = { ...state.operation.turn, mode: "plan" } as const;
    const readers = { ...state, operation: { ...state.operation, turn } } as SessionState;
    expect(toolContext(readers, signal).mode).toBe("plan");
  }
});

test("a user's own command is prepared so that it may change the workspace, in every mode", () => {
  const command = { script: "make" };
  const modes = permissionModes.map((mode) => {
    const state = stateIn(mode, submit({ type: "run-for-user", turnId: toTurnId("c1"), command }));
    return toolContext(state, signal).mode;
  });
  expect(modes).toEqual(["accept-edits", "accept-edits", "accept-edits", "auto"]);
});
