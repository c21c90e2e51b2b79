export type { AskTerminal, OnAsk } from "./asking/on-ask.ts";
export { chosen } from "./asking/read-answer.ts";
export { jsonLine } from "./json-line.ts";
export type { Output, Streams } from "./output.ts";
export { type OutputFormat, outputFormats, runPrint } from "./run-print.ts";
export { runTurn, type TurnReport, type TurnRequest, type TurnView } from "./run-turn.ts";
