export { AgentQuestions } from "./agent-questions.ts";
