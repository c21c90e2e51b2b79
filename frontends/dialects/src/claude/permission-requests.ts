import {
  canonicalJson,
  type Interaction,
  type InteractionAnswer,
  type InteractionRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Submission,
} from "@capstan/protocol";
import type { GivenAnswer } from "../session/medium.ts";
import { claudeCall, ourArguments, ourMode, questionOf } from "./claude-words.ts";
import type { ControlChannel } from "./control-channel.ts";

type Asked<Type extends InteractionRequest["type"]> = Extract<InteractionRequest, { readonly type: Type }>;

/** What `can_use_tool` asks, in Claude's words. */
interface Question {
  readonly name: string;
  readonly input: JsonObject;
  readonly callId: string;
  readonly more?: JsonObject;
  allowed(answer: JsonObject): InteractionAnswer;
  denied(message: string): InteractionAnswer;
}

/**
 * Asks the program about something that waits.
 * @param warn  receives why an answer was taken for a no
 */
export async function askPermission(
  { request, digest }: Interaction,
  control: ControlChannel,
  { signal, warn }: { readonly signal: AbortSignal; readonly warn: (text: string) => void },
): Promise<GivenAnswer | null> {
  // A limit is the program's own: reaching it ends the turn.
  if (request.type === "budget") return { answer: { type: "stop" } };
  if (request.type === "recovery") return null;
  const question = questionFor(request, digest);
  const asked = {
    subtype: "can_use_tool",
    tool_name: question.name,
    input: question.input,
    tool_use_id: question.callId,
    permission_suggestions: [],
    ...question.more,
  };
  const answer = await control.request(asked, signal).catch((error: unknown) => {
    warn(`can_use_tool: ${messageOf(error)}; the call is denied`);
    return { behavior: "deny", message: messageOf(error) };
  });
  return answer === null ? null : given(answer, question, warn);
}

function given(answer: JsonObject, question: Question, warn: (text: string) => void): GivenAnswer {
  const { behavior, message, interrupt, updatedPermissions } = answer;
  const interrupted: readonly Submission[] =
    interrupt === true ? [{ type: "cancel", reason: "interrupted", queued: "continue" }] : [];
  if (behavior === "allow") {
    const allowed = question.allowed(answer);
    // An approved plan says itself in which mode it is carried out.
    return { answer: allowed, after: allowed.type === "plan" ? [] : modesOf(updatedPermissions) };
  }
  if (behavior !== "deny") warn(`can_use_tool: behavior ${JSON.stringify(behavior)} is neither allow nor deny: denied`);
  return { answer: question.denied(typeof message === "string" ? message : ""), after: interrupted };
}

function questionFor(request: Exclude<InteractionRequest, Asked<"budget" | "recovery">>, digest: string): Question {
  switch (request.type) {
    case "approval":
      return approval(request);
    case "question":
      return questions(request);
    case "plan-review":
      return review(request, digest);
  }
}

/** Equal input is a yes; other input is another call, which is judged again. */
function approval(request: Asked<"approval">): Question {
  const { action, callId, reason, remembered } = request;
  const { digest } = action;
  const call = claudeCall(action.tool, action.arguments);
  const suggestion = {
    type: "addRules",
    rules: [{ toolName: call.name, ...ruleContent(remembered) }],
    behavior: "allow",
    destination: "session",
  };
  return {
    ...call,
    callId,
    more: {
      title: action.summary,
      display_name: call.name,
      description: [reason, ...request.warnings].join("\n"),
      decision_reason: reason,
      default_to_no: request.risk === "high",
      ...(remembered === undefined ? { suppress_always_allow_rule: true } : { permission_suggestions: [suggestion] }),
    },
    allowed({ updatedInput, updatedPermissions }) {
      if (isJsonObject(updatedInput) && canonicalJson(updatedInput) !== canonicalJson(call.input))
        return {
          type: "edit",
          digest,
          arguments: ourArguments(action.tool, { name: call.name, input: updatedInput }),
        };
      // Whatever place the program names for a rule, it holds for this session at most.
      const scope = remembered !== undefined && addsRules(updatedPermissions) ? "session" : "once";
      return { type: "approve", digest, scope };
    },
    denied: (message) => ({ type: "deny", ...(message === "" ? {} : { message }) }),
  };
}

function ruleContent(remembered: Asked<"approval">["remembered"]): JsonObject {
  const { command, path, host } = remembered?.rule ?? {};
  const content = command ?? path ?? host;
  return content === undefined ? {} : { ruleContent: content };
}

/** The answers stand in the input, under the words of their questions. */
function questions({ questions: asked, callId }: Asked<"question">): Question {
  const input = {
    questions: asked.map(({ question, options, multiple }) =>
      questionOf({ question, options: options.map((option) => ({ ...option })), multiple }),
    ),
  };
  return {
    name: "AskUserQuestion",
    input,
    callId,
    allowed({ updatedInput }) {
      const answers = isJsonObject(updatedInput) ? updatedInput["answers"] : undefined;
      if (!isJsonObject(answers))
        return { type: "deny", message: "The program allowed the questions and answered none." };
      const replies = asked.map(({ question, options, multiple }) => {
        const answer = answers[question];
        const text = typeof answer === "string" ? answer : "";
        const labels = new Set(options.map(({ label }) => label));
        const parts = text.split(/,\s*/);
        return multiple && parts.every((part) => labels.has(part)) ? parts : [text];
      });
      return { type: "reply", answers: replies };
    },
    denied: (message) => ({ type: "deny", ...(message === "" ? {} : { message }) }),
  };
}

function review({ plan, callId }: Asked<"plan-review">, digest: string): Question {
  return {
    name: "ExitPlanMode",
    input: { plan },
    callId,
    allowed({ updatedPermissions }) {
      const [mode] = wantedModes(updatedPermissions);
      return {
        type: "plan",
        digest,
        decision: "proceed",
        mode: mode === undefined || mode === "plan" ? "default" : mode,
      };
    },
    denied: (message) =>
      message === ""
        ? { type: "plan", digest, decision: "cancel" }
        : { type: "plan", digest, decision: "adjust", message },
  };
}

function updatesIn(updates: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(updates) ? updates.filter((update) => isJsonObject(update)) : [];
}

function addsRules(updates: JsonValue | undefined): boolean {
  return updatesIn(updates).some(({ type, behavior }) => type === "addRules" && behavior === "allow");
}

function wantedModes(updates: JsonValue | undefined): readonly NonNullable<ReturnType<typeof ourMode>>[] {
  return updatesIn(updates).flatMap(({ type, mode }) => {
    const wanted = type === "setMode" && typeof mode === "string" ? ourMode(mode) : null;
    return wanted === null ? [] : [wanted];
  });
}

function modesOf(updates: JsonValue | undefined): readonly Submission[] {
  return wantedModes(updates).map((mode) => ({ type: "set", settings: { mode } }));
}
