import type { ModelOffer, ModelRequest, ModelSettings, ModelStreamPart } from "@capstan/protocol";

/**
 * One vendor's wire.
 *
 * Contract:
 * - `stream` yields batches of parts (one batch per piece of network input, never empty); deltas in order, then exactly one
 *   `finish`, last. Text, thinking and arguments of the finished message equal the joined deltas. `notice` parts may stand
 *   anywhere before the finish, `rate-limits` only before everything else.
 * - A stream that ends without the wire's own end mark, or that reports an error, throws `ProviderError`; it never finishes.
 * - `signal` closes the socket at once; the iteration then throws the signal's reason.
 * - Nothing is retried here: the engine decides.
 * - Error messages hold no key, no header and no request body.
 */
export interface ModelProvider {
  readonly wire: string;
  stream(request: ModelRequest, model: ModelSettings, signal: AbortSignal): AsyncIterable<readonly ModelStreamPart[]>;
  /**
   * The models this provider's key reaches, in the vendor's order; absent: the wire cannot say.
   * @throws {ProviderError} like `stream`
   */
  models?(signal: AbortSignal): Promise<readonly ModelOffer[]>;
  /** Frees kept-alive connections. */
  close(): void;
}
