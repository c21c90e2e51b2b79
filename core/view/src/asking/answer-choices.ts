import { inertLine } from "@capstan/patterns";
import type { Interaction, InteractionAnswer, InteractionRequest, Remembered } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";

/** A way to answer a question about a call. The number is the same in every frontend; those that answer by single keys take the letter, too. */
export interface AnswerChoice {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly key: string;
  /** A few words, inert. */
  readonly label: string;
  readonly means: ChoiceMeaning;
}

export type ChoiceMeaning =
  | { readonly type: "approve"; readonly remember: "nothing" | "workspace" | "always" | Remembered["what"] }
  /** Other arguments are asked for, and make another action. */
  | { readonly type: "edit" }
  /** Words that say why are asked for; there may be none. */
  | { readonly type: "deny" }
  /** No answer: it waits. */
  | { readonly type: "later" };

type Approval = Extract<InteractionRequest, { type: "approval" }>;

/** What can be answered, without what is not offered here. `always` is for those who have seen the details. */
export function answerChoices(request: Approval): readonly AnswerChoice[] {
  const { remembered, workspaceOffer, grant } = request;
  return [
    { number: 1, key: "y", label: "once", means: { type: "approve", remember: "nothing" } },
    ...(remembered === undefined
      ? []
      : [
          {
            number: 2,
            key: "s",
            label: `${rememberedText(remembered)}, this session`,
            means: { type: "approve", remember: remembered.what },
          } as const,
        ]),
    ...(workspaceOffer === true
      ? [
          {
            number: 3,
            key: "a",
            label: "all changes here, this session",
            means: { type: "approve", remember: "workspace" },
          } as const,
        ]
      : []),
    { number: 4, key: "e", label: "edit", means: { type: "edit" } },
    { number: 5, key: "n", label: "no", means: { type: "deny" } },
    { number: 6, key: "l", label: "later", means: { type: "later" } },
    ...(grant === undefined
      ? []
      : [
          {
            number: 7,
            key: "7",
            label: `always here: ${inertLine(grant.text, lineCharacters)}`,
            means: { type: "approve", remember: "always" },
          } as const,
        ]),
  ];
}

/** The answer that approves, bound to exactly what was shown. */
export function approvalOf(
  { digest }: Pick<Interaction, "digest">,
  { remember }: Extract<ChoiceMeaning, { type: "approve" }>,
): Extract<InteractionAnswer, { type: "approve" }> {
  switch (remember) {
    case "nothing":
      return { type: "approve", digest };
    case "workspace":
    case "always":
      return { type: "approve", digest, scope: remember };
    case "file":
    case "family":
    case "command":
    case "host":
    case "tool":
      return { type: "approve", digest, scope: "session" };
  }
}

function rememberedText({ what, rule }: Remembered): string {
  switch (what) {
    case "file":
      return "this file";
    case "command":
      return "this command";
    case "family":
      return `\`${inertLine(rule.command?.replace(/:\*$/, "") ?? "", lineCharacters)} …\``;
    case "host":
      return `reaching ${inertLine(rule.host ?? "", lineCharacters)}`;
    case "tool":
      return inertLine(rule.tool, lineCharacters);
  }
}
