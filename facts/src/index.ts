export type { ReadJournals } from "./journal-reader.ts";
export { SessionFacts } from "./session-facts.ts";
export { type JoinedFacts, withFacts } from "./with-facts.ts";
