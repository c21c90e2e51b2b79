import { type Action, type CommandUse, type Rule, toToolCallId } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  checkInvariants,
  completes,
  packed,
  play,
  type Played,
  playOn,
  prepared,
  says,
  sessionConfig,
  staged,
} from "@capstan/testkit";
import type { Stimulus } from "@capstan/engine";
import { expect, test } from "vitest";

const confinement = { type: "sandbox", workspace: "write", hosts: [], writable: [] } as const;
const form = { type: "argv", argv: ["npm", "install"] } as const;
const command: CommandUse = { form, cwd: "/work", timeoutMs: 1000, confinement, scripts: [], nested: [] };
const install: Action = { ...action("run_command"), command };

/** A command under way that wants to reach a host. */
function wanting(host: string, overrides: Parameters<typeof sessionConfig>[0], of: Action = install): Played {
  const begun = [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "run_command")])),
    prepared("t1.s1", { a: of }),
    staged("a"),
  ];
  const config = sessionConfig({
    askPolicy: "ask",
    sandbox: { isolation: { type: "enforced" }, autoRun: true, withoutIsolation: "ask", hosts: [] },
    ...overrides,
  });
  const options = ["Yes", "No"].map((label) => ({ label }));
  const questions = [{ question: "May it?", options, multiple: false }];
  const asks: Stimulus = { type: "tool-asks", callId: toToolCallId("a"), asker: "The command", questions, host };
  const played = playOn(play(begun, config), asks);
  expect(checkInvariants(played.journal)).toEqual([]);
  return played;
}

const about = (verdict: Rule["verdict"], host: string): Rule => ({
  verdict,
  tool: "*",
  host,
  source: "user",
  text: host,
});
const under = (...rules: readonly Rule[]) => ({ policy: { rules: [allowing("run_command"), ...rules] } });
const answer = { type: "answer-tool", callId: "a" };

test("what no rule speaks of is asked, as a question of the call", () => {
  const { last } = wanting("registry.npmjs.org", under());
  expect(last.records).toMatchObject([{ type: "interaction-opened", interaction: { request: { type: "question" } } }]);
});

test("what a rule says of the host is the answer, with no question: deny beats allow", () => {
  const denied = wanting("registry.npmjs.org", under(about("allow", "*.npmjs.org"), about("deny", "*.npmjs.org")));
  expect(denied.last).toMatchObject({ records: [], effects: [{ ...answer, answer: { type: "deny" } }] });
  const allowed = wanting("registry.npmjs.org", under(about("allow", "*.npmjs.org")));
  expect(allowed.last).toMatchObject({
    records: [],
    effects: [{ ...answer, answer: { type: "reply", answers: [["Yes"]] } }],
  });
});

test("where nobody can be asked, nothing is opened", () => {
  const alone = wanting("registry.npmjs.org", { ...under(), askPolicy: "deny" });
  expect(alone.last).toMatchObject({ records: [], effects: [{ ...answer, answer: { type: "void" } }] });
});

test("a call that runs in no sandbox asks for no host", () => {
  const bare: Action = { ...install, command: { ...command, confinement: { type: "none" } } };
  const { last } = wanting("registry.npmjs.org", under(), bare);
  expect(last).toMatchObject({ records: [], effects: [{ ...answer, answer: { type: "deny" } }] });
});
