import type { SessionStore } from "@capstan/ports";

/** A store made for one test. */
export interface StoreUnderTest {
  readonly store: SessionStore;
  /** Another store over the same data, as another process would have it; absent where nothing outlives the store. */
  readonly reopen?: () => Promise<SessionStore>;
  /** Closes what is open and removes what was made. */
  dispose(): Promise<void>;
}
export type Check = (promise: string, run: (under: StoreUnderTest) => Promise<void>) => void;
