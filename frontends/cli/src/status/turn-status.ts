import type { SessionEvent, SessionSnapshot } from "@capstan/protocol";
import {
  activityText,
  emptyTranscript,
  reduce,
  runningCalls,
  runningTimeText,
  settingsText,
  statusOf,
  type Transcript,
  shortText,
} from "@capstan/view";
import { fittedLine } from "./fitted-line.ts";

/** The room that lines at the end of the screen have. */
export interface StatusRoom {
  readonly columns: number;
  readonly rows: number;
  /** What the terminal is sent for a text. */
  readonly asSent: (text: string) => string;
}

/** Of a running command's output. */
const outputLines = 3;
/** A lower screen shows the line of the turn alone. */
const minRowsForOutput = 10;

/** What runs in a turn, for how long, and the end of what a command prints, as records report it. */
export class TurnStatus {
  /** Whoever looks on is asked on this screen: while something waits for them, only the question is shown. */
  readonly #asksHere: boolean;
  #transcript: Transcript = emptyTranscript;
  /** Whose words are worked on, where they are not this user's. */
  #by: string | undefined;
  #isOver = false;

  constructor(asksHere: boolean) {
    this.#asksHere = asksHere;
  }

  opened({ config }: Pick<SessionSnapshot, "config">): void {
    this.#transcript = { ...this.#transcript, config };
  }

  take(event: SessionEvent): void {
    this.#transcript = reduce(this.#transcript, event);
  }

  /** The turn that was looked at is over, whether or not it has ended. */
  ended(): void {
    this.#isOver = true;
  }

  /** Words of somebody else are worked on from here on. */
  worksFor(by: string): void {
    this.#by = by;
    this.#isOver = false;
  }

  /** None where nothing runs, or a question is asked. */
  lines(nowMs: number, room: StatusRoom): readonly string[] {
    if (this.#isOver) return [];
    const status = statusOf(this.#transcript, nowMs);
    if (status.activity.type === "idle" || (this.#asksHere && status.waiting > 0)) return [];
    const call = runningCalls(this.#transcript).at(-1);
    const elapsedMs = call === undefined ? (status.elapsedMs ?? 0) : nowMs - call.startedAt;
    const line = fittedLine(
      {
        what: room.asSent(activityText(status.activity)),
        time: runningTimeText(elapsedMs),
        rest: [...(this.#by === undefined ? [] : [`words of ${this.#by}`]), ...settingsText(status)].map(room.asSent),
        separator: room.asSent(" · "),
      },
      room.columns,
    );
    const output = room.rows < minRowsForOutput ? [] : lastLines(call?.output ?? "");
    return [...output.map((text) => shortText(room.asSent(`  │ ${text}`), room.columns)), line];
  }
}

function lastLines(output: string): readonly string[] {
  const lines = output.split("\n").filter((text) => text.trim() !== "");
  return lines.slice(-outputLines).map((text) => text.trimEnd().replaceAll("\t", "  "));
}
