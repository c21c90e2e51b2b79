import { AppError, type Lack, type SessionClient, type SessionEvent, type UserContent } from "@capstan/protocol";
import { withForm } from "./answer-form.ts";
import { FollowedTurn, type TurnEnd } from "./followed-turn.ts";
import { requireChangeable } from "./given-settings.ts";
import { eventsOfTurn, hasWordsBehind, type OpenTurn, openTurnOf, runningTurnOf } from "./open-turn.ts";
import { takeBackLast } from "./take-back-last.ts";
import type { OpenedSession, TurnReport, TurnRequest, TurnView } from "./turn-request.ts";

/** Runs one turn to its end, whatever the end is. The report is guaranteed: a turn that does not end when asked to is reported all the same. */
export async function runTurn(request: TurnRequest, view: TurnView): Promise<TurnReport> {
  const startedAt = process.uptime();
  const session = await request.client.open(request.target, {
    identity: request.identity,
    purpose: "drive",
    resume: "wait",
  });
  let stopListening: (() => void) | undefined;
  try {
    const end = await takeTurn(request, session, view);
    ({ stopListening } = end);
    const report: TurnReport = {
      sessionId: session.id,
      result: end.result,
      durationMs: Math.round((process.uptime() - startedAt) * 1000),
    };
    // Reported before the session closes: whoever loses patience with a command that ends slowly has the result already.
    view.finished(report);
    await request.keepResult?.(report.result);
    await seeToWordsBehind({ request, session, view }, end, startedAt);
    return report;
  } finally {
    await session.close();
    stopListening?.();
  }
}

/** In a session of another process they are that process's matter. */
async function seeToWordsBehind(of: Turn, { result, seen }: TurnEnd, startedAt: number): Promise<void> {
  const { request, session, view } = of;
  if (result.outcome === "parked" || (await session.owner()).type !== "here") return;
  const snapshot = await session.snapshot();
  if (!hasWordsBehind(snapshot)) return;
  const { timeoutMs } = request;
  // Who stopped the run wants it to end.
  if (!isStopped(result)) {
    const { WordsBehind } = await import("./words-behind.ts");
    const leftMs = timeoutMs === undefined ? undefined : timeoutMs - (process.uptime() - startedAt) * 1000;
    await new WordsBehind(of, { snapshot, seen }).toEnd(leftMs);
  }
  if (hasWordsBehind(await session.snapshot())) view.behind?.({ type: "left", sessionId: session.id });
}

interface Turn {
  readonly request: TurnRequest;
  readonly session: SessionClient;
  readonly view: TurnView;
}

function isStopped({ outcome }: TurnEnd["result"]): boolean {
  return outcome === "interrupted" || outcome === "terminated" || outcome === "timeout";
}

/** It begins nothing of its own. */
function isResumed({ content, command, isRetry }: TurnRequest): boolean {
  return content.length === 0 && command === undefined && isRetry !== true;
}

async function takeTurn(
  request: TurnRequest,
  session: SessionClient,
  view: TurnView,
): ReturnType<FollowedTurn["toEnd"]> {
  const found = await findSession(session);
  if (found.owner.type !== "here") requireChangeable(request.given ?? { fixed: [] });
  requireNothing(session.recovery.lacks, found.owner.type === "here" ? undefined : request.given?.patch.model);
  if (request.name !== undefined) await session.submit({ type: "title", title: request.name });
  const open = isResumed(request) ? await openTurnOf(session, found.snapshot) : null;
  const ignored = found.owner.type === "here" ? [] : (request.given?.ignored ?? []);
  view.opened({ ...found, ignored });
  await showLeftOpen(session, found, { view, open });
  const { opened, content } =
    request.isRetry === true ? await takenBack(session, found, view) : { opened: found, content: request.content };
  const turnId = open?.turnId ?? request.client.newTurnId();
  const asked = withForm(content, request.answerForm);
  const turn = new FollowedTurn({ request, session, view, opened, content: asked, turnId });
  for (const event of earlier(open)) turn.before(event);
  return await turn.toEnd();
}

/** @throws AppError `session.busy` where nobody can be reached who writes to the session */
async function findSession(session: SessionClient): Promise<OpenedSession> {
  const owner = await session.owner();
  if (owner.type !== "none") return { owner, snapshot: await session.snapshot() };
  throw new AppError("session.busy", owner.reason, {
    hint: `Wait until it ends, continue in a copy with --fork-session, or read along with \`capstan sessions show ${session.id} --follow\`.`,
  });
}

/** Whatever is begun would only wait. @throws AppError as the lack says */
function requireNothing(lack: Lack | undefined, newModel: string | undefined): void {
  if (lack === undefined || newModel !== undefined) return;
  throw new AppError(lack.code, lack.reason, lack.hint === undefined ? {} : { hint: lack.hint });
}

function earlier(open: OpenTurn | null): readonly SessionEvent[] {
  return open?.events ?? [];
}

/** What was done of a turn that comes to its end before the new words: its calls are named by what decided on them. */
async function showLeftOpen(
  session: SessionClient,
  { snapshot }: OpenedSession,
  { view, open }: { readonly view: TurnView; readonly open: OpenTurn | null },
): Promise<void> {
  const running = runningTurnOf(snapshot);
  // What is resumed is shown with its whole turn.
  if (running === null || running === open?.turnId) return;
  for (const event of await eventsOfTurn(session, running, snapshot.seq + 1)) view.before?.(event);
}

/** The session as it is then, and the words to send again. */
async function takenBack(
  session: SessionClient,
  opened: OpenedSession,
  view: TurnView,
): Promise<{ readonly opened: OpenedSession; readonly content: readonly UserContent[] }> {
  const content = await takeBackLast(session, opened, (event) => view.event(event));
  return { opened: { ...opened, snapshot: await session.snapshot() }, content };
}
