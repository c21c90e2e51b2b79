import type { HookAnswer, HookEvent } from "@capstan/protocol";

/** What hooks may answer at a moment. */
export type HookPower = keyof HookAnswer;

export interface HookPoint {
  readonly event: HookEvent;
  /** One sentence. */
  readonly about: string;
  /** What it is called elsewhere. */
  readonly aliases: readonly string[];
  /** What waits for the answer; absent: nothing does, and no answer changes anything. */
  readonly before?: "context" | "step" | "calls" | "batch" | "summary" | "end";
  readonly may: readonly HookPower[];
  /** What a matcher is compared with; absent: matchers are not looked at. */
  readonly matches?: string;
}

const notified = { may: [] } as const;

/** Every moment, in the order in which a session comes to them. */
export const hookCatalog: readonly HookPoint[] = [
  {
    event: "SessionStart",
    before: "context",
    about: "Before the first turn that a process runs in a session.",
    aliases: ["sessionStart"],
    may: ["context", "stop", "block"],
    matches: "`startup` or `resume`",
  },
  {
    event: "SubagentStart",
    before: "context",
    about: "The same of an agent's session.",
    aliases: ["subagentStart"],
    may: ["context", "stop", "block"],
    matches: "the agent's name",
  },
  {
    event: "BeforeRun",
    before: "context",
    about: "Before a turn, a user's or an agent's.",
    aliases: ["beforeRun", "beforeAgentStart"],
    may: ["context", "stop"],
  },
  {
    event: "UserPromptSubmit",
    before: "context",
    about: "Before a user's words are taken up.",
    aliases: ["userPromptSubmit"],
    may: ["context", "stop", "block"],
  },
  {
    event: "BeforeContextPack",
    before: "context",
    about: "Before the facts for the model are collected.",
    aliases: ["beforeContextPack"],
    may: ["context", "stop", "block"],
  },
  {
    event: "AfterContextPack",
    before: "step",
    about: "When they are, before the model is asked for the first time in the turn.",
    aliases: ["afterContextPack"],
    may: ["context", "stop", "block"],
  },
  {
    event: "BeforeModelCall",
    before: "step",
    about: "Before each call of the model.",
    aliases: ["beforeModelCall", "beforeLLMCall"],
    may: ["context", "stop"],
  },
  { ...notified, event: "AfterModelCall", about: "After each answer of the model.", aliases: ["afterLLMCall"] },
  {
    event: "PreToolUse",
    before: "calls",
    about: "Before a call of a tool is prepared and judged.",
    aliases: ["preToolUse", "beforeToolCall", "onBeforeToolCall"],
    may: ["verdict", "arguments", "context", "stop"],
    matches: "the tool's name",
  },
  {
    event: "BeforeSpawnSubagent",
    before: "calls",
    about: "The same of a call that hands work to an agent.",
    aliases: ["beforeSpawnSubagent"],
    may: ["verdict", "arguments", "context", "stop"],
    matches: "the tool's name, or the agent's",
  },
  {
    event: "BeforeApplyChanges",
    before: "calls",
    about: "The same of a call that changes files.",
    aliases: ["beforeApplyChanges"],
    may: ["verdict", "arguments", "context", "stop"],
    matches: "the tool's name",
  },
  {
    event: "PermissionRequest",
    before: "calls",
    about: "Before a user is asked about a call, or it is denied because nobody can be.",
    aliases: ["permissionRequest"],
    may: ["verdict", "context", "stop"],
    matches: "the tool's name",
  },
  {
    ...notified,
    event: "Notification",
    about: "When something waits for a user.",
    aliases: ["notification"],
    matches: "`permission_prompt` or `elicitation_dialog`",
  },
  {
    ...notified,
    event: "OnToolCall",
    about: "When a call of a tool starts.",
    aliases: ["onToolCall"],
    matches: "the tool's name",
  },
  {
    event: "PostToolUse",
    before: "batch",
    about: "After a call that did what it should, before anything else starts.",
    aliases: ["postToolUse", "afterToolCall", "onAfterToolCall"],
    may: ["block", "result", "context", "stop"],
    matches: "the tool's name",
  },
  {
    event: "PostToolUseFailure",
    before: "batch",
    about: "After a call that ran and failed.",
    aliases: ["postToolUseFailure"],
    may: ["context", "stop"],
    matches: "the tool's name",
  },
  {
    event: "AfterApplyChanges",
    before: "batch",
    about: "After a call that changed files.",
    aliases: ["afterApplyChanges"],
    may: ["block", "context", "stop"],
    matches: "the tool's name",
  },
  {
    event: "PreCompact",
    before: "summary",
    about: "Before older messages are summarised by the model.",
    aliases: ["preCompact"],
    may: ["block"],
    matches: "`manual` or `auto`",
  },
  {
    ...notified,
    event: "PostCompact",
    about: "When a summary stands in for older messages.",
    aliases: ["onCompacted", "OnCompacted", "postCompact"],
  },
  {
    event: "Stop",
    before: "end",
    about: "Before a turn ends whose answer is whole.",
    aliases: ["stop"],
    may: ["block", "stop"],
  },
  {
    event: "SubagentStop",
    before: "end",
    about: "The same of an agent's turn.",
    aliases: ["subagentStop"],
    may: ["block", "stop"],
    matches: "the agent's name",
  },
  { ...notified, event: "OnError", about: "When a turn has failed.", aliases: ["onError"] },
  { ...notified, event: "OnAgentError", about: "When an agent's turn has failed.", aliases: ["onAgentError"] },
  {
    ...notified,
    event: "AfterRun",
    about: "When a turn has ended, however it did.",
    aliases: ["afterRun", "afterAgentComplete"],
  },
  {
    ...notified,
    event: "SessionEnd",
    about: "When a process that ran turns of a session lets go of it.",
    aliases: ["sessionEnd"],
  },
];

const byName: ReadonlyMap<string, HookPoint> = new Map(
  hookCatalog.flatMap((point) => [point.event, ...point.aliases].map((name) => [name, point] as const)),
);

/** The moment of that name, ours or another's; `undefined`: there is none. */
export function hookPointNamed(name: string): HookPoint | undefined {
  return byName.get(name);
}

/** The moment, which is there. */
export function hookPoint(event: HookEvent): HookPoint {
  const point = byName.get(event);
  if (point === undefined) throw new Error(`no hook event ${event}`);
  return point;
}
