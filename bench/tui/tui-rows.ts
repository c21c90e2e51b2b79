import { tui, tuiTargets } from "../limits.ts";
import type { ReportRow } from "../report-rows.ts";
import {
  type Answered,
  measureAnswer,
  measureAnswerElsewhere,
  measureFirstFrame,
  measureIdle,
  measureKeys,
  measureLongDay,
  measureResizing,
  measureWorking,
  textBytes,
  type TuiBench,
} from "./measure-tui.ts";
import { measureOpeningTui } from "./measure-opening.ts";

/** Every figure of the terminal UI, beside a bare process in the same run. */
export async function tuiRows(bench: TuiBench): Promise<readonly ReportRow[]> {
  const { progress } = bench;
  progress("the terminal UI: its first frame");
  const first = await measureFirstFrame(bench);
  progress("the terminal UI: a long answer");
  const elsewhere = await measureAnswerElsewhere(bench);
  const answered = [await measureAnswer(bench, "inline"), await measureAnswer(bench, "full")];
  progress("the terminal UI: keys");
  const keys = await measureKeys(bench);
  progress("the terminal UI: at rest");
  const idle = await measureIdle(bench);
  progress("the terminal UI: while it works");
  const working = await measureWorking(bench);
  progress("the terminal UI: sizes");
  const resizedMs = await measureResizing(bench);
  progress("the terminal UI: a long session, and a long day");
  const opened = await measureOpeningTui(bench);
  const day = await measureLongDay(bench);
  const rest = `${tui.restMs / 1000} s`;
  return [
    ratioRow("the first frame, against `node -e` with a byte", first.tuiMs, first.bareMs, tuiTargets.firstFrame),
    ...answered.flatMap((answer) => answerRows(answer, elsewhere)),
    row("a key beside 10,000 lines and an answer, p50", ms(quantile(keys.tuiMs, 0.5)), {
      bare: ms(quantile(keys.bareMs, 0.5)),
      ...upTo(quantile(keys.tuiMs, 0.5), tuiTargets.keyP50Ms, ms),
    }),
    row("a key beside 10,000 lines and an answer, p95", ms(quantile(keys.tuiMs, 0.95)), {
      bare: ms(quantile(keys.bareMs, 0.95)),
      ...upTo(quantile(keys.tuiMs, 0.95), tuiTargets.keyP95Ms, ms),
    }),
    row(`${rest} at rest: frames`, String(idle.writes), upTo(idle.writes, 0, String)),
    row(`${rest} at rest: CPU`, ms(idle.cpuMs), upTo(idle.cpuMs, tuiTargets.idleMs, ms)),
    row(`${rest} of a spinner: CPU`, ms(working.cpuMs), upTo(working.cpuMs / tui.restMs, tuiTargets.working, percent)),
    row(`${rest} of a spinner: bytes of a frame`, working.bytesPerFrame.toFixed(0), {
      ...upTo(working.bytesPerFrame, tuiTargets.tickBytes, (value) => value.toFixed(0)),
    }),
    row(`${tui.sizes} sizes in a second: from the last to the last byte`, ms(resizedMs), {
      ...upTo(resizedMs, tuiTargets.resizedMs, ms),
    }),
    row(`a session of ${opened.records} records opens`, ms(opened.openMs), upTo(opened.openMs, tuiTargets.openMs, ms)),
    row(`its memory`, mb(opened.memoryMb), upTo(opened.memoryMb, tuiTargets.memoryMb, mb)),
    row(
      `memory after ${tui.turns} turns more`,
      mb(day.afterMb),
      upTo(day.afterMb - day.beforeMb, tuiTargets.growthMb, mb),
    ),
  ];
}

function answerRows(
  answer: Answered,
  { headless, bareCpuMs }: Awaited<ReturnType<typeof measureAnswerElsewhere>>,
): readonly ReportRow[] {
  const what = `2 MB, ${answer.screen}`;
  const bytes = answer.screen === "full" ? tuiTargets.fullBytes : tuiTargets.inlineBytes * textBytes;
  return [
    ratioRow(`${what}: CPU, against the same run headless`, answer.cpuMs, headless.cpuMs, tuiTargets.answerCpu),
    ratioRow(`${what}: CPU, against a bare writer`, answer.cpuMs, bareCpuMs, null),
    ratioRow(`${what}: done, against headless`, answer.wallMs, headless.wallMs, tuiTargets.answerWall),
    row(`${what}: frames a second`, answer.framesPerSecond.toFixed(0), {
      result: answer.framesPerSecond.toFixed(0),
      target: `≥ ${tuiTargets.framesPerSecond}`,
      met: answer.framesPerSecond >= tuiTargets.framesPerSecond ? "yes" : "NO",
    }),
    row(`${what}: bytes`, kb(answer.bytes), { bare: kb(textBytes), ...upTo(answer.bytes, bytes, kb) }),
    row(`${what}: full clears`, String(answer.fullClears), upTo(answer.fullClears, 0, String)),
  ];
}

type Judged = Pick<ReportRow, "result" | "target" | "met">;

function row(what: string, capstan: string, judged: Judged & { readonly bare?: string }): ReportRow {
  return { what, capstan, bare: "", ...judged };
}

function upTo(value: number, most: number, text: (value: number) => string): Judged {
  return { result: text(value), target: `≤ ${text(most)}`, met: value <= most ? "yes" : "NO" };
}

function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

function ratioRow(what: string, ours: number, other: number, most: number | null): ReportRow {
  const ratio = ours / other;
  const judged: Judged = most === null ? { result: times(ratio), target: "", met: "–" } : upTo(ratio, most, times);
  return { what, capstan: ms(ours), bare: ms(other), ...judged };
}

function quantile(samples: readonly number[], share: number): number {
  return samples.toSorted((one, other) => one - other)[Math.floor(samples.length * share)] ?? Number.NaN;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}

function kb(value: number): string {
  return `${(value / 1024).toFixed(0)} KB`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
