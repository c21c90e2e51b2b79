import type { SessionStore } from "@capstan/ports";
import type { test } from "vitest";

/** A store made for one test. */
export interface StoreUnderTest {
  readonly store: SessionStore;
  /** Another store over the same data, as another process would have it; absent where nothing outlives the store. */
  readonly reopen?: () => Promise<SessionStore>;
  /** Closes what is open and removes what was made. */
  dispose(): Promise<void>;
}
export type Check = (promise: string, run: (under: StoreUnderTest) => Promise<void>) => void;

/** `test` or `slowTest`. */
export type TestFunction = ReturnType<typeof test.runIf>;

/** Makes each check a test with a store of its own. */
export function checkWith(register: TestFunction, make: () => Promise<StoreUnderTest>): Check {
  return (promise, run) =>
    // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- both are the caller's
    register(promise, async () => {
      await using(make, run);
    });
}

export async function using(
  make: () => Promise<StoreUnderTest>,
  run: (under: StoreUnderTest) => Promise<void>,
): Promise<void> {
  const under = await make();
  try {
    await run(under);
  } finally {
    await under.dispose();
  }
}
