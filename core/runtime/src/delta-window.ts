import type { Clock } from "@capstan/ports";
import { deltaFloodCharacters, deltaWindowCharacters, deltaWindowMs, floodWindowMs } from "./limits.ts";

/**
 * Gathers small pieces into fewer, larger ones: after a silence the first goes out at once, later ones together every `deltaWindowMs`.
 * Under a flood, when nobody can read along, the window widens to `floodWindowMs`. Order is kept; `add` waits while a hand-over is under way, so that a slow disk slows the source down.
 */
export class DeltaWindow<Piece> {
  readonly #clock: Clock;
  readonly #handOver: (pieces: readonly Piece[]) => Promise<void>;
  readonly #size: (piece: Piece) => number;
  #waiting: Piece[] = [];
  #waitingCharacters = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #windowMs: number = deltaWindowMs;
  #cancelTimer: (() => void) | undefined;
  #handingOver: Promise<void> | undefined;

  constructor(clock: Clock, size: (piece: Piece) => number, handOver: (pieces: readonly Piece[]) => Promise<void>) {
    this.#clock = clock;
    this.#size = size;
    this.#handOver = handOver;
  }

  /** Takes pieces that somebody waits to see; returns a promise only where the caller should wait. */
  add(pieces: readonly Piece[]): Promise<void> | undefined {
    return this.#gather(pieces, this.#lastMs + this.#windowMs - this.#clock.elapsed());
  }

  /** Takes pieces that are in no hurry: they never go out before the window has passed. */
  hold(pieces: readonly Piece[]): Promise<void> | undefined {
    return this.#gather(pieces, this.#windowMs);
  }

  #gather(pieces: readonly Piece[], waitMs: number): Promise<void> | undefined {
    for (const piece of pieces) {
      this.#waiting.push(piece);
      this.#waitingCharacters += this.#size(piece);
    }
    if (this.#waiting.length === 0) return undefined;
    if (waitMs <= 0 || this.#waitingCharacters >= deltaWindowCharacters) return this.flush();
    this.#cancelTimer ??= this.#clock.after(waitMs, () => {
      this.#cancelTimer = undefined;
      // A failed hand-over is the session's fault, which is reported by itself; the next `add` or `flush` sees it too.
      void this.flush().catch(() => undefined);
    });
    return this.#handingOver;
  }

  /** Hands over everything that waits. */
  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    // Another flush may begin while this one waits: each sees the hand-over that is under way.
    while (this.#handingOver !== undefined) await this.#handingOver;
    if (this.#waiting.length === 0) return;
    const pieces = this.#waiting;
    this.#windowMs = this.#waitingCharacters >= deltaFloodCharacters ? floodWindowMs : deltaWindowMs;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#lastMs = this.#clock.elapsed();
    this.#handingOver = this.#handOver(pieces).finally(() => {
      this.#handingOver = undefined;
    });
    await this.#handingOver;
  }

  /** Takes back what waits, once nothing is being handed over, for the caller to hand on with something else. */
  async take(): Promise<readonly Piece[]> {
    while (this.#handingOver !== undefined) await this.#handingOver;
    const pieces = this.#waiting;
    this.discard();
    return pieces;
  }

  /** Drops what waits and stops the timer. */
  discard(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }
}
