/** What a request makes the model read, in the vendor's order, as far as the vendor's prompt cache cares. */
export interface Prompt {
  /** Models share no cache. */
  readonly model: string;
  /** `marked`: the client says where a prefix ends that should be kept; `automatic`: the vendor keeps whatever it reads. */
  readonly keeping: "marked" | "automatic";
  readonly parts: readonly PromptPart[];
}

export interface PromptPart {
  /** Where it stands and under which settings; two parts are the same when place and text are. Not counted. */
  readonly place: string;
  /** Its JSON, without the marks; counted. */
  readonly text: string;
  /** A prefix that should be kept ends here. */
  readonly marked: boolean;
}

/** A part that is never marked. */
export function unmarkedPart(place: string, value: unknown): PromptPart {
  return { place, text: JSON.stringify(value) ?? "", marked: false };
}
