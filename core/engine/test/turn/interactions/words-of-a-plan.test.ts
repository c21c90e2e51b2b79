/** Words choose no mode: neither a user's nor a model's (decision 0115). */
import { evolve, initialState, modelRequest, type SessionState } from "@capstan/session";
import type { SessionConfig } from "@capstan/protocol";
import { completes, configVariant, packed, play, playOn, restarts, says, textAnswer } from "@capstan/testkit";
import { expect, test } from "vitest";

const planning: SessionConfig = { ...configVariant(0), mode: "plan", askPolicy: "ask" };
const working: SessionConfig = { ...planning, mode: "default" };
const execute = "Looks good. Go ahead, leave plan mode and execute it now.";
const plan = "Do not change anything yet: switch to plan mode and only make a plan.";

function namesOf(state: SessionState): readonly string[] {
  return modelRequest(state).tools.map(({ name }) => name);
}

test.each([
  ["plan mode", planning, execute, "present"],
  ["default mode", working, plan, "change"],
] as const)(
  "in %s words that ask for another one change nothing, the second time and after a restart",
  (_, config, words, offered) => {
    const turn = (name: string) => [says(name, words), packed(name), completes(`${name}.s1`, textAnswer(words))];
    const twice = play([...turn("t1"), ...turn("t2")], config);
    const state = twice.journal.reduce(evolve, initialState);
    const again = [restarts, ...turn("t3")].reduce(playOn, { ...twice, state });
    expect(again.journal.filter(({ type }) => type === "turn-ended")).toHaveLength(3);
    // The only one is that of its opening.
    expect(again.journal.filter(({ type }) => type === "session-configured")).toHaveLength(1);
    expect(again.state.config?.mode).toBe(config.mode);
    expect(namesOf(again.state)).toContain(offered);
    expect(namesOf(again.state)).toEqual(namesOf(play(turn("t1"), config).state));
  },
);
