import type { OutputObject } from "../stage/read-output.ts";
import type { Place, Stage } from "../stage/place.ts";
import type { Run, RunningCapstan } from "../stage/run-capstan.ts";

/** What the Claude Agent SDK starts a program with. */
export const sdkFlags: readonly string[] = [
  "--output-format",
  "stream-json",
  "--verbose",
  "--input-format",
  "stream-json",
  "--model=anthropic/rehearsal",
];

/** A program that drives Capstan by Claude's lines. */
export class ClaudeProgram {
  readonly running: RunningCapstan;
  #next = 0;

  constructor(place: Place, stage: Stage, flags: readonly string[] = []) {
    this.running = place.start([...sdkFlags, ...flags], { holdInput: true, env: stage.env });
  }

  send(...lines: readonly object[]): void {
    for (const line of lines) this.running.write(`${JSON.stringify(line)}\n`);
  }

  say(content: unknown, more: object = {}): void {
    this.send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "", ...more });
  }

  /** @returns the program's answer to a control request */
  async request(request: object): Promise<OutputObject> {
    this.#next += 1;
    const id = `r${this.#next}`;
    this.send({ type: "control_request", request_id: id, request });
    const line = await this.line((one) => part(one["response"])["request_id"] === id);
    return part(line["response"]);
  }

  answer(asked: OutputObject, response: object): void {
    const answer = { subtype: "success", request_id: asked["request_id"], response };
    this.send({ type: "control_response", response: answer });
  }

  /** The n-th line, from 1, of those that fit. */
  async line(fits: (line: OutputObject) => boolean, n = 1): Promise<OutputObject> {
    let found: OutputObject | undefined;
    const test = (text: string): boolean => {
      found = linesIn(text).filter(fits)[n - 1];
      return found !== undefined;
    };
    await this.running.stdoutMatches({ test });
    if (found === undefined) throw new Error("the line was lost");
    return found;
  }

  async result(n = 1): Promise<OutputObject> {
    return await this.line(({ type }) => type === "result", n);
  }

  /** What it asks, the n-th time. */
  async asked(subtype: string, n = 1): Promise<OutputObject> {
    return await this.line((line) => part(line["request"])["subtype"] === subtype, n);
  }

  async end(): Promise<Run> {
    this.running.endInput();
    return await this.running.ended;
  }
}

/** Whole lines of an output that is not at its end. */
export function linesIn(text: string): readonly OutputObject[] {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole.split("\n").flatMap((line): readonly OutputObject[] => (line === "" ? [] : [part(JSON.parse(line))]));
}

/** An object; anything else fails the test. */
export function part(value: unknown): OutputObject {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object") throw new Error(`not an object: ${JSON.stringify(value)}`);
  return { ...value };
}
