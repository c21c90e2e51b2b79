import type { FinishReason } from "@capstan/protocol";

export interface ResponseEnd {
  /** `completed`, `incomplete`, or something new. */
  readonly status: string;
  /** The vendor's word for what cut the response short. */
  readonly why: string;
  readonly hasCalls: boolean;
  readonly refused: boolean;
}

/** Why the model stopped. `rawReason`: the vendor's word, where it says more. */
export function finishReason(end: ResponseEnd): { readonly reason: FinishReason; readonly rawReason?: string } {
  if (end.status === "completed") {
    if (end.hasCalls) return { reason: "tool-calls" };
    return { reason: end.refused ? "refusal" : "stop" };
  }
  switch (end.why) {
    case "max_output_tokens":
      return { reason: "length" };
    case "content_filter":
      return { reason: "content-filter" };
    case "max_tokens":
    case "length":
      return { reason: "length", rawReason: end.why };
    default:
      return { reason: "other", rawReason: end.why || end.status };
  }
}
