import { FakeClock } from "@capstan/testkit";

const msPerLook = 1_000;

/** A clock by which so much passes between two looks that nothing waits for company; the calendar may jump. */
export class QuickClock extends FakeClock {
  #passedMs = 0;
  /** Added to the calendar, as somebody who sets the clock of a machine does. */
  jumpMs = 0;

  override now(): number {
    return super.now() + this.jumpMs;
  }

  override elapsed(): number {
    this.#passedMs += msPerLook;
    return super.elapsed() + this.#passedMs;
  }
}
