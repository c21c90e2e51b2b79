import type { CountTokens, PromptCache } from "../cache/prompt-cache.ts";
import type { Comparison, Playback } from "../replay/playback.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { ResourceStore } from "../wires/wire.ts";
import type { CallMemory } from "./call-memory.ts";
import type { Exchange } from "./exchange.ts";
import type { Playhead } from "./playhead.ts";

/** What one server plays, and what it remembers from request to request. */
export interface ServerState {
  readonly scenario: Scenario;
  readonly playhead: Playhead;
  readonly playback: Playback;
  readonly checks: "strict" | "off";
  /** Whether requests are compared with the recorded ones. */
  readonly comparison: Comparison;
  readonly record: (exchange: Exchange) => void;
  readonly memory: CallMemory;
  readonly resources: ResourceStore;
  readonly promptCache: PromptCache;
  readonly countTokens: CountTokens;
}
