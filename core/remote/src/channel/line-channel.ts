/** What a channel hands on: a line, or why something that was to be one is not. */
export type ReceivedLine =
  | { readonly type: "line"; readonly text: string }
  /** It was skipped up to its end, and nothing of it was kept. */
  | { readonly type: "refused"; readonly reason: string };

/**
 * Lines both ways between two processes. Contract: lines arrive whole and in order; `lines` is iterated once and ends when the other side
 * ends or the connection breaks.
 */
export interface LineChannel {
  /**
   * Sends a line without its end. Resolves when the channel can take more: whoever waits for it keeps at most one line beyond the
   * channel's own bound in memory.
   * @throws AppError `remote.closed`
   */
  send(line: string): Promise<void>;
  readonly lines: AsyncIterable<ReceivedLine>;
  /** Hands over what was sent, then ends the connection. */
  close(): Promise<void>;
}
