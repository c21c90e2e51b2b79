import type { Clock } from "@capstan/ports";
import type { ClientIdentity, Receipt, SettingsPatch, Submission } from "@capstan/protocol";
import { maxTitleCharacters, submissionsAtOnce, submissionsPerSecond } from "../limits.ts";
import { TokenBucket } from "./token-bucket.ts";

type Refused = Extract<Receipt, { readonly type: "refused" }>;

/**
 * The entrance for one client's submissions: who it is, what its role allows it at all, how much it sends, and whether what it sends has the
 * right form. What the role allows as the session stands is decided with the submission itself, one at a time.
 */
export class Door {
  readonly #identity: ClientIdentity;
  readonly #bucket: TokenBucket;

  constructor(identity: ClientIdentity, clock: Pick<Clock, "elapsed">) {
    this.#identity = identity;
    this.#bucket = new TokenBucket({ capacity: submissionsAtOnce, perSecond: submissionsPerSecond }, clock);
  }

  /** @returns why the submission does not come in; `null`: it does */
  check(submission: Submission): Refused | null {
    return this.#roleProblem() ?? this.#rateProblem() ?? formProblem(submission);
  }

  #roleProblem(): Refused | null {
    if (this.#identity.role !== "watch") return null;
    return { type: "refused", code: "door.role", reason: "this client may only watch" };
  }

  #rateProblem(): Refused | null {
    if (this.#bucket.take()) return null;
    const reason = `more than ${submissionsPerSecond} submissions a second came from this client`;
    return { type: "refused", code: "door.rate", reason, hint: "Send it again in a second." };
  }
}

function formProblem(submission: Submission): Refused | null {
  if (submission.type === "title" && submission.title.length > maxTitleCharacters) {
    return { type: "refused", code: "door.schema", reason: `a title has at most ${maxTitleCharacters} characters` };
  }
  if (submission.type !== "set") return null;
  const foreign = Object.keys(submission.settings).find((key) => !Object.hasOwn(settable, key));
  if (foreign === undefined) return null;
  const reason = `no client sets ${JSON.stringify(foreign)}: policy, sandbox and tools are set where Capstan starts`;
  return { type: "refused", code: "door.schema", reason };
}

/** What a client may set at all. */
const settable: Readonly<Record<keyof SettingsPatch, true>> = {
  mode: true,
  model: true,
  effort: true,
  strategy: true,
  limits: true,
  personas: true,
};
