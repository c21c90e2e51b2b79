import {
  type ClientIdentity,
  deltaScope,
  type EngineClient,
  type Frame,
  type Receipt,
  type Role,
  type SessionClient,
  type SessionEvent,
  type SessionId,
  type TurnId,
  userText,
} from "@capstan/protocol";

/** An engine made for one test. */
export interface EngineUnderTest {
  /** A client of its own; all of them are clients of the same engine, and may do everything unless they are opened with less. */
  readonly connect: () => Promise<EngineClient>;
  /** Frees everything, the clients too. */
  dispose(): Promise<void>;
}

/**
 * Makes an engine whose model does as asked: `count 3` answers in three pieces, `ask` makes a call that waits for approval, `hold`
 * answers nothing until its turn is cancelled; any other words are answered at once.
 */
export type MakeEngine = () => Promise<EngineUnderTest>;

/** Runs one test on an engine of its own. */
export async function using(make: MakeEngine, use: (under: EngineUnderTest) => Promise<void>): Promise<void> {
  const under = await make();
  try {
    await use(under);
  } finally {
    await under.dispose();
  }
}

export function identityOf(role: Role, user = "ada"): ClientIdentity {
  return { frontend: "test", user, role };
}

/** A new session, as its first client holds it. */
export async function begin(
  engine: EngineClient,
  identity: ClientIdentity = identityOf("operate"),
): Promise<SessionClient> {
  return engine.open({ type: "new" }, { identity, purpose: "drive" });
}

/** The same session, as another client holds it. */
export async function join(
  engine: EngineClient,
  id: SessionId,
  identity: ClientIdentity = identityOf("operate"),
): Promise<SessionClient> {
  return engine.open({ type: "resume", id }, { identity, purpose: "drive" });
}

/** Begins a turn with these words. */
export async function say(
  engine: EngineClient,
  session: SessionClient,
  words: string,
): Promise<{ readonly turnId: TurnId; readonly receipt: Receipt }> {
  const turnId = engine.newTurnId();
  return { turnId, receipt: await session.submit({ type: "user-input", turnId, content: userText(words) }) };
}

/** Frames after a number, up to the first that fits. */
export async function framesUntil(
  session: SessionClient,
  after: number,
  fits: (frame: Frame) => boolean,
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of session.attach(after)) {
    frames.push(frame);
    if (fits(frame)) break;
  }
  return frames;
}

/** Resolves when a turn has ended. @returns its last event */
export async function ended(session: SessionClient, turnId: TurnId): Promise<SessionEvent | undefined> {
  return eventsOf(await framesUntil(session, 0, (frame) => endsTurn(frame, turnId))).at(-1);
}

export function endsTurn(frame: Frame, turnId: TurnId): boolean {
  if (frame.type !== "record" || frame.event.record.type !== "turn-ended") return false;
  return frame.event.record.turnId === turnId;
}

export function eventsOf(frames: readonly Frame[]): readonly SessionEvent[] {
  return frames.flatMap((frame) => (frame.type === "record" ? [frame.event] : []));
}

/** Events that nothing supersedes. */
export function keptOf(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.filter(({ record }) => deltaScope(record) === undefined);
}

/** The types of the records of a journal, in order. */
export function typesOf(events: readonly SessionEvent[]): readonly string[] {
  return events.map(({ record }) => record.type);
}

/** The next value of an iteration that must have one. */
export async function nextOf<Value>(values: AsyncIterator<Value>): Promise<Value> {
  const next = await values.next();
  if (next.done === true) throw new Error("the iteration ended");
  return next.value;
}

/** The first of the values that fits. */
export async function nextWhere<Value>(values: AsyncIterator<Value>, fits: (value: Value) => boolean): Promise<Value> {
  for (let value = await nextOf(values); ; value = await nextOf(values)) if (fits(value)) return value;
}
