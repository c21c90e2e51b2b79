/** Why a vendor would refuse a request, in the vendor's terms. */
export interface WireProblem {
  readonly status: number;
  /** The vendor's error type, such as `invalid_request_error`. */
  readonly type: string;
  /** Begins with the index path of the offending part, where there is one. */
  readonly message: string;
  /** OpenAI's name of the offending parameter. */
  readonly param?: string;
  /** OpenAI's error code. */
  readonly code?: string;
}

/** A path into a request body. */
export type BodyPath = readonly PropertyKey[];

/** What one rule found: where, and what is wrong there. */
export interface Finding {
  readonly path: BodyPath;
  readonly message: string;
  readonly code?: string;
}

/** The first finding of rules tried in order; later ones may rely on what earlier ones made sure of. */
export function firstFinding(rules: readonly (() => Finding | undefined)[]): Finding | undefined {
  for (const rule of rules) {
    const finding = rule();
    if (finding !== undefined) return finding;
  }
  return undefined;
}
