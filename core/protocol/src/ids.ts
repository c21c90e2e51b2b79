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

/** A beginning that is shorter is easily typed for another. */
const minShortCharacters = 4;
/** Of those that fit what was typed, so many are named. */
const namedCandidates = 5;

/** For each id the shortest beginning that no other of them has. */
export function shortIds<Id extends string>(ids: readonly Id[]): ReadonlyMap<Id, string> {
  const sorted = [...new Set(ids)].toSorted();
  return new Map(
    sorted.map((id, at) => {
      const shared = Math.max(sharedCharacters(id, sorted[at - 1] ?? ""), sharedCharacters(id, sorted[at + 1] ?? ""));
      return [id, id.slice(0, Math.max(minShortCharacters, shared + 1))];
    }),
  );
}

function sharedCharacters(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count += 1;
  return count;
}

/** Something that has an id and fits what was typed. `about`: what it is, inert and short; empty: nothing is known. */
export interface Candidate {
  readonly id: string;
  readonly about: string;
}

/** The candidates with the ids to type, as the end of a sentence: `k3f9 (fix the build), m2 (add tests)`. */
export function candidatesText(candidates: readonly Candidate[]): string {
  const short = shortIds(candidates.map(({ id }) => id));
  const named = candidates
    .slice(0, namedCandidates)
    .map(({ id, about }) => `${short.get(id) ?? id}${about === "" ? "" : ` (${about})`}`);
  const more = candidates.length - named.length;
  return named.join(", ") + (more === 0 ? "" : `, and ${more} more`);
}
