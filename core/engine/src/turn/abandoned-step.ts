import type { JournalRecord, ProviderFailure } from "@capstan/protocol";
import type { OpenStep } from "@capstan/session";

type Abandoned = Extract<JournalRecord, { type: "step-abandoned" }>;

/** The end of an answer that is not whole, with what users saw of it. */
export function abandonedStep(
  { stepId, text, thinking }: OpenStep,
  cause: Abandoned["cause"],
  failure?: ProviderFailure,
): Abandoned {
  return {
    type: "step-abandoned",
    stepId,
    cause,
    text,
    ...(thinking === "" ? {} : { thinking }),
    ...(failure === undefined ? {} : { failure }),
  };
}
