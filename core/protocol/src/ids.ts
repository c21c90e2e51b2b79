declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A conversation that can be resumed. 26 lower-case letters and digits; the first few tell it from others. */
export type SessionId = Branded<"SessionId">;
/** One user input until the session is idle again. Minted by the frontend, so that a repeated submission is recognised. */
export type TurnId = Branded<"TurnId">;
/** One model call inside a turn: `<turn>.s<number>`. */
export type StepId = Branded<"StepId">;
/** One tool call, as the model named it; unique inside a session (the engine renames repeats). */
export type ToolCallId = Branded<"ToolCallId">;
/** Something that waits for a user: `<number>-<turn>`, so that the questions of a turn differ in their first character. */
export type InteractionId = Branded<"InteractionId">;

// The only places where a plain string becomes an id.
export function toSessionId(text: string): SessionId {
  return text as SessionId;
}
export function toTurnId(text: string): TurnId {
  return text as TurnId;
}
export function toStepId(text: string): StepId {
  return text as StepId;
}
export function toToolCallId(text: string): ToolCallId {
  return text as ToolCallId;
}
export function toInteractionId(text: string): InteractionId {
  return text as InteractionId;
}

/**
 * A call id that names the tool and counts the session's calls: `functions.read_file:0`. Kimi's models are trained on this form,
 * and stop calling tools when their ids come back in another one. `undefined`: an id of any other form.
 */
export function readNumberedCallId(id: string): { readonly name: string; readonly number: number } | undefined {
  const [, name, number] = /^functions\.([\w-]{1,64}):(0|[1-9]\d{0,8})$/.exec(id) ?? [];
  return name === undefined || number === undefined ? undefined : { name, number: Number(number) };
}
