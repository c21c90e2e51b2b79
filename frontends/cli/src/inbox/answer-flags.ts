import {
  AppError,
  type Interaction,
  type InteractionAnswer,
  isJsonObject,
  type JsonObject,
  permissionModeAliases,
  permissionModes,
  unreachable,
} from "@capstan/protocol";
import { answerChoices, approvalOf } from "@capstan/view";
import { chosen } from "../asking/read-answer.ts";
import { oneOf } from "../one-of.ts";

/** An answer, as flags say it. */
export interface AnswerFlags {
  readonly approve?: boolean;
  readonly remember?: string;
  readonly deny?: boolean;
  readonly message?: string;
  readonly edit?: string;
  readonly reply?: readonly string[];
  readonly plan?: string;
  readonly mode?: string;
  readonly continue?: boolean;
  readonly stop?: boolean;
  readonly recovery?: string;
}

const kinds = ["approve", "deny", "edit", "reply", "plan", "continue", "stop", "recovery"] as const;
const remembers = ["file", "family", "command", "host", "tool", "workspace", "always"] as const;
type AnswerKind = (typeof kinds)[number];

/** Whether they say an answer at all. */
export function hasAnswer(flags: AnswerFlags): boolean {
  return kinds.some((name) => flags[name] !== undefined);
}

/** Which answer it is. @throws AppError `usage.invalid` unless it is exactly one, with what belongs to it */
export function answerKind(flags: AnswerFlags): AnswerKind {
  const [kind, another] = kinds.filter((name) => flags[name] !== undefined);
  if (kind === undefined || another !== undefined) {
    throw new AppError("usage.invalid", `exactly one of ${kinds.map((name) => `--${name}`).join(", ")} is needed`);
  }
  checkCompany(flags, kind);
  return kind;
}

/** What goes with one kind of answer stands with no other. */
function checkCompany(flags: AnswerFlags, kind: AnswerKind): void {
  if (flags.remember !== undefined && kind !== "approve") throw astray("--remember", "--approve");
  if (flags.mode !== undefined && kind !== "plan") throw astray("--mode", "--plan");
  if (flags.message !== undefined && kind !== "deny" && kind !== "plan") throw astray("--message", "--deny or --plan");
  if (flags.remember !== undefined) oneOf(remembers, flags.remember, "--remember");
  if (flags.plan === "adjust") requireWords(flags);
}

function requireWords({ message = "" }: AnswerFlags): void {
  if (message.trim() !== "") return;
  throw new AppError("usage.invalid", "--plan adjust needs --message: what is to be changed");
}

/** The answer to this interaction, bound to what is asked now. @throws AppError `usage.invalid` */
export function answerFor(interaction: Interaction, flags: AnswerFlags): InteractionAnswer {
  const { request, digest } = interaction;
  const kind = answerKind(flags);
  const message = flags.message === undefined ? {} : { message: flags.message };
  switch (kind) {
    case "approve":
      return approval(interaction, flags.remember);
    case "deny":
      return { type: "deny", ...message };
    case "edit":
      return { type: "edit", digest, arguments: jsonArguments(flags.edit ?? "") };
    case "reply": {
      const questions = request.type === "question" ? request.questions : [];
      const answers = (flags.reply ?? []).map((text, at) => chosen(questions[at] ?? free, text));
      return { type: "reply", answers };
    }
    case "plan": {
      const decision = oneOf(["proceed", "proceed-clean", "adjust", "cancel"], flags.plan ?? "", "--plan");
      const modes = permissionModes.filter((mode) => mode !== "plan");
      const mode =
        flags.mode === undefined
          ? {}
          : { mode: oneOf(modes, permissionModeAliases[flags.mode] ?? flags.mode, "--mode") };
      return { type: "plan", digest, decision, ...mode, ...message };
    }
    case "continue":
    case "stop":
      return { type: kind };
    case "recovery":
      return {
        type: oneOf(
          ["accept-as-done", "run-again", "undo", "tell-model", "discard"],
          flags.recovery ?? "",
          "--recovery",
        ),
      };
    default:
      return unreachable(kind);
  }
}

/** What is remembered is named, so that nobody remembers more than they mean. */
function approval({ id, request, digest }: Interaction, remember: string | undefined): InteractionAnswer {
  if (remember === undefined || request.type !== "approval") return { type: "approve", digest };
  const offered = answerChoices(request).flatMap(({ means }) =>
    means.type === "approve" && means.remember !== "nothing" ? [means] : [],
  );
  const meant = offered.find((means) => means.remember === remember);
  if (meant !== undefined) return approvalOf({ digest }, meant);
  const names = offered.map((means) => means.remember).join(", ");
  throw new AppError(
    "usage.invalid",
    `${id} can be remembered as ${names === "" ? "nothing" : names}, not as ${remember}`,
    {
      hint: `\`capstan interactions show ${id}\` has the command for each answer.`,
    },
  );
}

const free = { options: [], multiple: false };

function jsonArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isJsonObject(value)) return value;
  throw new AppError("usage.invalid", "--edit takes the arguments as a JSON object");
}

function astray(flag: string, owner: string): AppError {
  return new AppError("usage.invalid", `${flag} belongs to ${owner}`);
}
