import type { OnUnknown } from "@capstan/protocol";

/** What chance chooses from in a simulated life: each as often as its weight among those of its table. */
export type Weighted<Choice> = readonly (readonly [choice: Choice, weight: number])[];

export type Step =
  | "kill"
  | "cut-power"
  | "cancel"
  | "say"
  | "rare"
  | "answer-from-elsewhere"
  | "let-time-pass"
  | "proceed";

/** While nothing is at stake. */
export const ordinarySteps: Weighted<Step> = [
  ["kill", 25],
  ["cut-power", 5],
  ["cancel", 10],
  ["say", 60],
  ["rare", 20],
  ["answer-from-elsewhere", 30],
  ["let-time-pass", 50],
  ["proceed", 800],
];

/** In the middle of an effect: a kill shows most there. */
export const delicateSteps: Weighted<Step> = [
  ["kill", 225],
  ["cut-power", 5],
  ["cancel", 10],
  ["say", 60],
  ["rare", 20],
  ["answer-from-elsewhere", 30],
  ["let-time-pass", 50],
  ["proceed", 600],
];

/** While somebody is asked. */
export const askingSteps: Weighted<Step> = [
  ["kill", 225],
  ["cut-power", 5],
  ["cancel", 10],
  ["say", 60],
  ["rare", 20],
  ["answer-from-elsewhere", 230],
  ["proceed", 450],
];

/** How a model's call begins. */
export const callBeginnings: Weighted<"answers" | "overloaded" | "refused"> = [
  ["answers", 90],
  ["overloaded", 8],
  ["refused", 2],
];

/** What follows a piece of an answer. */
export const afterPiece: Weighted<"more" | "breaks" | "ends" | "silence"> = [
  ["more", 96],
  ["breaks", 2],
  ["ends", 1],
  ["silence", 1],
];

/** What a tool comes to. */
export const toolEnds: Weighted<"ran" | "failed" | "broke"> = [
  ["ran", 17],
  ["failed", 2],
  ["broke", 1],
];

export type ApprovalAnswer = "approve" | "approve-for-session" | "deny" | "edit";

/** What a user says to an approval. */
export const approvalAnswers: Weighted<ApprovalAnswer> = [
  ["approve", 50],
  ["approve-for-session", 13],
  ["deny", 27],
  ["edit", 10],
];

/** Once nothing goes wrong any more: a call that is edited is asked about again, and that would have no end. */
export const calmApprovalAnswers: Weighted<ApprovalAnswer> = [
  ["approve", 56],
  ["approve-for-session", 14],
  ["deny", 30],
];

/** Whether a later look can prove what became of an effect that was cut off. */
export const proofs: Weighted<boolean> = [
  [true, 4],
  [false, 6],
];

/** What is made of a call in doubt where somebody is there to be asked. */
export const onUnknownWhereAsked: Weighted<OnUnknown> = [
  ["ask", 2],
  ["tell-model", 1],
  ["fail", 1],
];
