export { AgentQuestions } from "./agent-questions.ts";
export { kindOfEffect, type ProposedChange, proposedChanges } from "./proposed-changes.ts";
