import { type JournalRecord, noUsage, type SessionEvent, toStepId, toToolCallId, toTurnId } from "@capstan/protocol";
import { action, opening, SeededRandom } from "@capstan/testkit";

/** A session of many turns, each with a read and an answer, as a long working day leaves it. */
export function longJournal(count: number): readonly SessionEvent[] {
  const records: JournalRecord[] = [...opening()];
  for (let turn = 1; records.length < count; turn += 1) records.push(...turnRecords(turn));
  return records.slice(0, count).map((record, at) => ({ seq: at + 1, at: 0, record }));
}

/** A session of so many turns, each with some 11 KB of text that is not said twice; 20,000 of them are 220 MB. */
export function* longSession(turns: number): Generator<SessionEvent> {
  const random = new SeededRandom(turns);
  let seq = 0;
  const event = (record: JournalRecord): SessionEvent => ({ seq: (seq += 1), at: seq, record });
  for (const record of opening()) yield event(record);
  for (let turn = 1; turn <= turns; turn += 1)
    for (const record of turnRecords(turn, {
      asked: prose(random, 300),
      result: prose(random, 6500),
      answer: prose(random, 3000),
    }))
      yield event(record);
}

const words =
  "the function reads a list skips what is empty and returns all other parts in order while a cache holds each key".split(
    " ",
  );

function prose(random: SeededRandom, characters: number): string {
  let said = "";
  while (said.length < characters) said += `${words[random.below(words.length)]} `;
  return said;
}

const text = "The function reads the list, skips what is empty, and returns the rest in order. ".repeat(3);

function turnRecords(turn: number, said = { asked: "", result: text, answer: text }): readonly JournalRecord[] {
  const turnId = toTurnId(`t${turn}`);
  const [first, second] = [toStepId(`t${turn}.s1`), toStepId(`t${turn}.s2`)];
  const callId = toToolCallId(`c${turn}`);
  const look = action("look", { path: `src/file-${turn % 50}.ts` });
  const origin = { provider: "test", model: "model-1", wire: "anthropic" };
  const step = { reason: "stop", usage: noUsage, costUsd: 0 } as const;
  return [
    {
      type: "turn-started",
      turnId,
      content: [{ type: "text", text: `What does part ${turn} do?${said.asked}` }],
      origin: { frontend: "cli" },
    },
    { type: "step-started", stepId: first, turnId, attempt: 1, model: "test/model-1" },
    {
      ...step,
      type: "step-completed",
      stepId: first,
      message: {
        role: "assistant",
        origin,
        content: [
          { type: "tool-call", callId, name: "look", arguments: { type: "json", value: { path: "src/file.ts" } } },
        ],
      },
    },
    { type: "tool-decided", callId, action: look, judgement: { verdict: "allow", reason: "It only reads." } },
    { type: "tool-started", callId, digest: look.digest, settle: { files: [] } },
    {
      type: "tool-finished",
      callId,
      outcome: { type: "done", content: said.result },
      changes: [],
      observed: [],
      durationMs: 1,
    },
    { type: "step-started", stepId: second, turnId, attempt: 1, model: "test/model-1" },
    {
      ...step,
      type: "step-completed",
      stepId: second,
      message: { role: "assistant", origin, content: [{ type: "text", text: said.answer }] },
    },
    { type: "turn-ended", turnId, outcome: "done", rolledBack: false },
  ];
}
