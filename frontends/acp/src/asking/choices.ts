import type { Interaction, InteractionAnswer, InteractionRequest } from "@capstan/protocol";
import { answerChoices, approvalOf } from "@capstan/view";

/** A way to answer, as a button of the editor's. */
export interface Choice {
  readonly optionId: string;
  readonly name: string;
  readonly kind: "allow_once" | "allow_always" | "reject_once";
  readonly answer: InteractionAnswer;
}

type Approval = Extract<InteractionRequest, { type: "approval" }>;

/** What can be answered to what waits, but for the questions of the model, which have forms of their own. */
export function choicesFor({ digest, request }: Interaction): readonly Choice[] {
  switch (request.type) {
    case "approval":
      return approvalChoices(request, digest);
    case "plan-review":
      return planChoices(digest);
    case "budget":
      return [
        choice("continue", "Allow as much again", "allow_once", { type: "continue" }),
        choice("stop", "Stop the turn", "reject_once", { type: "stop" }),
      ];
    case "recovery":
      return [
        choice("run-again", "Run again", "allow_once", { type: "run-again" }),
        choice("accept-as-done", "It is done: go by its result", "allow_once", { type: "accept-as-done" }),
        choice("undo", "Undo its changes", "reject_once", { type: "undo" }),
        choice("tell-model", "Let the model decide", "reject_once", { type: "tell-model" }),
        choice("discard", "Discard the turn", "reject_once", { type: "discard" }),
      ];
    case "question":
      return [];
  }
}

/** Each is bound to the digest of what is shown with it. The name says what a remembered yes would allow. */
function approvalChoices(request: Approval, digest: string): readonly Choice[] {
  return answerChoices(request).flatMap(({ label, means }): readonly Choice[] => {
    switch (means.type) {
      case "approve": {
        const once = means.remember === "nothing";
        const name = once ? "Allow once" : `Allow ${label}`;
        return [
          choice(`allow-${means.remember}`, name, once ? "allow_once" : "allow_always", approvalOf({ digest }, means)),
        ];
      }
      case "deny":
        return [choice("deny", "Deny", "reject_once", { type: "deny" })];
      case "edit":
      case "later":
        return [];
    }
  });
}

function planChoices(digest: string): readonly Choice[] {
  const plan = { type: "plan", digest } as const;
  return [
    choice("proceed", "Carry it out", "allow_once", { ...plan, decision: "proceed" }),
    choice("proceed-clean", "Carry it out in a fresh context", "allow_once", { ...plan, decision: "proceed-clean" }),
    choice("adjust", "Change it: I say how in my next message", "reject_once", {
      ...plan,
      decision: "adjust",
      message: "The user wants this plan changed and says how in the next message. End your turn.",
    }),
    choice("cancel", "Give it up", "reject_once", { ...plan, decision: "cancel" }),
  ];
}

// oxlint-disable-next-line max-params -- a row of a table
function choice(optionId: string, name: string, kind: Choice["kind"], answer: InteractionAnswer): Choice {
  return { optionId, name, kind, answer };
}
