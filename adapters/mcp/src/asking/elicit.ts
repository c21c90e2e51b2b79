import { inertLine } from "@capstan/patterns";
import { isJsonObject, type JsonObject, messageOf, type Question } from "@capstan/protocol";
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { maxAskedLength, maxErrorLength, maxFormRounds } from "../limits.ts";
import type { RunningCall } from "../link/running-calls.ts";
import { formQuestions } from "./form-questions.ts";

/** Who asks, for people. */
export function askerOf(server: string): string {
  return `The MCP server ${server}`;
}

/** A server asks the user in the middle of a call. Outside of one, or where nobody can be asked, that ends at once. */
export async function elicit(
  server: string,
  call: RunningCall | undefined,
  params: ElicitRequestParams,
): Promise<ElicitResult> {
  if (call?.ask === undefined) return { action: "cancel" };
  call.pause();
  try {
    return "url" in params ? await openAddress(server, call, params) : await fillIn(server, call, params);
  } catch (error) {
    call.say(`${askerOf(server)} was refused a question: ${inertLine(messageOf(error), maxErrorLength)}`);
    return { action: "decline" };
  } finally {
    call.resume();
  }
}

/** Answers that do not fit the form are asked for again, with the reason. */
async function fillIn(server: string, call: RunningCall, params: ElicitRequestParams): Promise<ElicitResult> {
  const schema: unknown = "requestedSchema" in params ? JSON.parse(JSON.stringify(params.requestedSchema)) : {};
  const form = formQuestions(params.message, isJsonObject(schema) ? schema : {});
  let problem = "";
  for (let round = 0; round < maxFormRounds; round += 1) {
    const reply = await call.ask?.(askerOf(server), withProblem(form.questions, problem));
    if (reply?.type === "declined") return { action: "decline" };
    if (reply?.type !== "answered") return { action: "cancel" };
    try {
      return { action: "accept", content: plain(form.read(reply.answers)) };
    } catch (error) {
      problem = messageOf(error);
      if (problem === "declined") return { action: "decline" };
    }
  }
  return { action: "cancel" };
}

/** What the user typed fits the form's fields, which are texts, numbers, choices and lists of texts. */
function plain(content: JsonObject): NonNullable<ElicitResult["content"]> {
  const fitting: NonNullable<ElicitResult["content"]> = {};
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") fitting[name] = value;
    else if (Array.isArray(value)) fitting[name] = value.map(String);
  }
  return fitting;
}

function withProblem(questions: readonly Question[], problem: string): readonly Question[] {
  if (problem === "") return questions;
  return questions.map((asked, at) => (at === 0 ? { ...asked, question: `[${problem}] ${asked.question}` } : asked));
}

/** Nothing is opened by Capstan: whoever wants it opens the address themselves. */
async function openAddress(
  server: string,
  call: RunningCall,
  { url, message }: Extract<ElicitRequestParams, { url: string }>,
): Promise<ElicitResult> {
  const address = new URL(url);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
  if (address.protocol !== "https:" && !(address.protocol === "http:" && isLocal))
    throw new Error(`an address must begin with https://, not ${address.protocol}`);
  const said = inertLine(message, maxAskedLength);
  const question = `${said} It wants you to open this address of ${address.host} yourself, if you trust it: ${inertLine(address.href, maxAskedLength)}`;
  const options = [{ label: "I opened it" }, { label: "Decline" }];
  const reply = await call.ask?.(askerOf(server), [{ question, options, multiple: false }]);
  if (reply?.type === "declined") return { action: "decline" };
  if (reply?.type !== "answered") return { action: "cancel" };
  return { action: reply.answers[0]?.[0] === "I opened it" ? "accept" : "decline" };
}
