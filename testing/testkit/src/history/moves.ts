import type {
  Finding,
  FinishReason,
  HookAnswer,
  InteractionAnswer,
  QueueChange,
  Role,
  ToolOutcome,
  UserContent,
} from "@capstan/protocol";
import * as fc from "fast-check";

/** A call as a random model makes it. `id` may repeat, be odd or be missing. */
export interface RandomCall {
  readonly id: string;
  readonly tool: string;
  readonly path: string;
  readonly malformed: boolean;
}

/** A step of a random history. It means something in some states only; `toStimulus` turns it into what fits best. */
export type Move =
  | {
      readonly type: "say";
      readonly turn: number;
      readonly content: readonly UserContent[];
      readonly steer: boolean;
      readonly role: Role;
    }
  /** A waiting input is changed. */
  | {
      readonly type: "queue";
      readonly which: number;
      readonly change: QueueChange["type"];
      readonly content: readonly UserContent[];
    }
  /** A user runs a command. */
  | { readonly type: "command"; readonly turn: number }
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "pack"; readonly facts: Readonly<Record<string, string>> }
  | { readonly type: "receive"; readonly text: string; readonly thinking: string }
  | {
      readonly type: "complete";
      readonly text: string;
      readonly thinking: string;
      readonly calls: readonly RandomCall[];
      readonly reason: FinishReason;
    }
  | { readonly type: "fail"; readonly retryable: boolean }
  /** What becomes of the summary that is made beside the turn; `ticks`: its wait is over. */
  | { readonly type: "summary"; readonly end: "writes" | "is-cut" | "is-long" | "fails" | "breaks" | "ticks" }
  /** `again`: everything that has not begun is prepared, and what was decided on has become other actions. `refused`: the first and why. */
  | { readonly type: "prepare"; readonly refused: "no" | "tool" | "workspace"; readonly again: boolean }
  | { readonly type: "stage" }
  | { readonly type: "print"; readonly text: string }
  /** A call under way asks its user. */
  | { readonly type: "ask"; readonly which: number }
  | { readonly type: "end"; readonly which: number; readonly outcome: ToolOutcome }
  | { readonly type: "answer"; readonly which: number; readonly answer: Word }
  /** What a look at the calls in doubt shows, one after the other. */
  | { readonly type: "probe"; readonly findings: readonly Finding["type"][] }
  /** Files were restored, or, where `conflict` says so, left alone. */
  | { readonly type: "restore"; readonly conflict: boolean }
  | { readonly type: "rewind"; readonly keep: number; readonly conversation: boolean; readonly files: boolean }
  | { readonly type: "unwind" }
  | { readonly type: "tick"; readonly deadline: boolean }
  /** Hooks that run have ended, and said this. */
  | { readonly type: "hooks"; readonly which: number; readonly answer: HookAnswer }
  | { readonly type: "close" }
  /** Nobody answers in time. */
  | { readonly type: "expire"; readonly which: number }
  | { readonly type: "cancel"; readonly handBack: boolean }
  | { readonly type: "compact" }
  | { readonly type: "change-compaction"; readonly which: number; readonly change: "edit" | "undo" | "redo" }
  | { readonly type: "configure"; readonly variant: number }
  | { readonly type: "restart" }
  /** A stimulus of this history once more: late or repeated. */
  | { readonly type: "repeat"; readonly which: number }
  /** An outcome of something nobody asked for. */
  | { readonly type: "foreign"; readonly which: number };

/** `approve-other`: a digest that is not the action's. */
export type Word =
  | Exclude<InteractionAnswer["type"], "plan">
  | Extract<InteractionAnswer, { type: "plan" }>["decision"]
  | "approve-other"
  | "approve-session";

const text = fc.constantFrom("", " ", "yes", "ok\n", "Grüße 😀", "\ud83d", "<b>&amp;</b>", "a longer piece of text");
const path = fc.constantFrom("a.txt", "b.txt", "deep/c.txt");
const content: fc.Arbitrary<UserContent> = fc.oneof(
  { weight: 5, arbitrary: text.map((value): UserContent => ({ type: "text", text: value })) },
  {
    weight: 1,
    arbitrary: fc.constant<UserContent>({ type: "media", mediaType: "image/png", data: "aGk=" }),
  },
);
const randomCall: fc.Arbitrary<RandomCall> = fc.record({
  id: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 999 }).map((number) => `call_${number}`) },
    { weight: 1, arbitrary: fc.constantFrom("0", "", "odd id/ü", "x".repeat(300), "call_1") },
  ),
  tool: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom("look", "look", "change", "act", "ask", "note", "present", "present", "nothing-known"),
    },
    { weight: 1, arbitrary: fc.constantFrom("", "odd name/ü", "\ud83d", "x".repeat(300)) },
  ),
  path,
  malformed: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
const picture = { type: "media", mediaType: "image/png", data: "iVBORw0KGgo=", name: "a picture" } as const;
const outcome: fc.Arbitrary<ToolOutcome> = fc.oneof(
  { weight: 4, arbitrary: text.map((value): ToolOutcome => ({ type: "done", content: value })) },
  { weight: 1, arbitrary: text.map((value): ToolOutcome => ({ type: "done", content: value, media: [picture] })) },
  { weight: 1, arbitrary: text.map((value): ToolOutcome => ({ type: "failed", code: "tool.failed", content: value })) },
);
const word = fc.constantFrom<Word>(
  "approve",
  "approve",
  "approve",
  "approve-other",
  "approve-session",
  "edit",
  "reply",
  "proceed",
  "proceed-clean",
  "adjust",
  "cancel",
  "deny",
  "continue",
  "stop",
  "accept-as-done",
  "run-again",
  "undo",
  "tell-model",
  "discard",
);
const reason = fc.constantFrom<FinishReason>(
  "stop",
  "stop",
  "length",
  "content-filter",
  "refusal",
  "pause",
  "other",
  "tool-calls",
);
const which = fc.nat(20);
const finding = fc.constantFrom<Finding["type"]>("ended", "untouched", "in-doubt");

const hookAnswer: fc.Arbitrary<HookAnswer> = fc.oneof(
  fc.constant<HookAnswer>({}),
  fc.record({
    verdict: fc.record({
      verdict: fc.constantFrom("allow", "ask", "deny"),
      reason: text,
      by: fc.constantFrom("user", "program", "workspace"),
    }),
  }),
  path.map((other): HookAnswer => ({ arguments: { path: other } })),
  fc.record({ context: fc.array(text, { maxLength: 2 }), result: text }),
  text.map((block): HookAnswer => ({ block })),
  text.map((stop): HookAnswer => ({ stop })),
);

const complete: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    type: fc.constant("complete" as const),
    text,
    thinking: text,
    calls: fc.array(randomCall, { minLength: 1, maxLength: 4 }),
    reason: fc.oneof(
      { weight: 8, arbitrary: fc.constant<FinishReason>("tool-calls") },
      { weight: 1, arbitrary: reason },
    ),
  }),
  fc.record({ type: fc.constant("complete" as const), text, thinking: text, calls: fc.constant([]), reason }),
);

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("say"),
      turn: fc.nat(30),
      content: fc.array(content, { maxLength: 2 }),
      steer: fc.boolean(),
      role: fc.constantFrom<Role>("ask", "drive", "operate"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("queue"),
      which: fc.nat(20),
      change: fc.constantFrom<QueueChange["type"]>("remove", "replace", "move", "now"),
      content: fc.array(content, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("command"), turn: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("title"), title: text }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("pack"), facts: fc.dictionary(path, text, { maxKeys: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("receive"), text, thinking: text }) },
  { weight: 4, arbitrary: complete },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("fail"), retryable: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("summary"),
      end: fc.constantFrom("writes", "writes", "is-cut", "is-long", "fails", "breaks", "ticks"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("prepare"),
      refused: fc.constantFrom("no", "tool", "workspace"),
      again: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("stage") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("print"), text }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("ask"), which }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("end"), which, outcome }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("answer"), which, answer: word }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("probe"), findings: fc.array(finding, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("restore"), conflict: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("rewind"),
      keep: fc.nat(3),
      conversation: fc.boolean(),
      files: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("unwind") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("tick"), deadline: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("hooks"), which, answer: hookAnswer }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("close") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("expire"), which }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cancel"), handBack: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("compact") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("change-compaction"),
      which,
      change: fc.constantFrom("edit", "undo", "redo"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("configure"), variant: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("restart") }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("repeat"), which: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("foreign"), which: fc.nat(5) }) },
);

/** `null`: do what the session waits for, so that histories get somewhere. */
export const randomMoves: fc.Arbitrary<readonly (Move | null)[]> = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: anyMove }),
  { minLength: 5, maxLength: 60 },
);
