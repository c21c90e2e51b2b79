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
import { measurePeer } from "./measure-peer.ts";
import { peerName } from "./peer.ts";

/** Parts that can be measured by themselves: `--only NAME,NAME`. */
const parts: Readonly<Record<string, (bench: TuiBench) => Promise<readonly ReportRow[]>>> = {
  frame: async (bench) => {
    const { tuiMs, bareMs } = await measureFirstFrame(bench);
    return [ratioRow("the first frame, against `node -e` with a byte", tuiMs, bareMs, tuiTargets.firstFrame)];
  },
  answer: async (bench) => {
    const elsewhere = await measureAnswerElsewhere(bench);
    const answered = [await measureAnswer(bench, "inline"), await measureAnswer(bench, "full")];
    return answered.flatMap((answer) => answerRows(answer, elsewhere));
  },
  keys: async (bench) => {
    const { tuiMs, bareMs } = await measureKeys(bench);
    return [
      keyRow("p50", quantile(tuiMs, 0.5), quantile(bareMs, 0.5), tuiTargets.keyP50Ms),
      keyRow("p95", quantile(tuiMs, 0.95), quantile(bareMs, 0.95), tuiTargets.keyP95Ms),
    ];
  },
  rest: async (bench) => {
    const idle = await measureIdle(bench);
    return [
      row(`${rest} at rest: frames`, String(idle.writes), upTo(idle.writes, 0, String)),
      row(`${rest} at rest: CPU`, ms(idle.cpuMs), upTo(idle.cpuMs, tuiTargets.idleMs, ms)),
    ];
  },
  spinner: async (bench) => {
    const { cpuMs, bytesPerFrame } = await measureWorking(bench);
    return [
      row(`${rest} of a spinner: CPU`, ms(cpuMs), upTo(cpuMs / tui.restMs, tuiTargets.working, percent)),
      row(
        `${rest} of a spinner: bytes of a frame`,
        count(bytesPerFrame),
        upTo(bytesPerFrame, tuiTargets.tickBytes, count),
      ),
    ];
  },
  sizes: async (bench) => {
    const resizedMs = await measureResizing(bench);
    const what = `${tui.sizes} sizes in a second: from the last to the last byte`;
    return [row(what, ms(resizedMs), upTo(resizedMs, tuiTargets.resizedMs, ms))];
  },
  opening: async (bench) => {
    const { records, openMs, cpuMs, memoryMb } = await measureOpeningTui(bench);
    return [
      row(`a session of ${records} records opens`, ms(openMs), upTo(openMs, tuiTargets.openMs, ms)),
      row("its CPU until then, beyond a new one's", ms(cpuMs), { result: ms(cpuMs), target: "", met: "–" }),
      row("its memory", mb(memoryMb), upTo(memoryMb, tuiTargets.memoryMb, mb)),
    ];
  },
  day: async (bench) => {
    const { beforeMb, afterMb } = await measureLongDay(bench);
    const what = `memory after ${tui.turns} turns more`;
    return [row(what, mb(afterMb), upTo(afterMb - beforeMb, tuiTargets.growthMb, mb))];
  },
};

/** Parts that are measured only where they are named. */
const furtherParts: typeof parts = {
  /** Needs the npm registry, once. */
  peer: async (bench) => {
    const { ours, peer } = await measurePeer(bench);
    const what = `2 MB, inline, beside ${peerName}`;
    const p95 = ({ keysMs }: typeof ours): number => quantile(keysMs, 0.95);
    return [
      ratioRow(`${what}: CPU`, ours.cpuMs, peer.cpuMs, 1),
      { ...ratioRow(`${what}: bytes`, ours.bytes, peer.bytes, null), capstan: kb(ours.bytes), bare: kb(peer.bytes) },
      ratioRow(`${what}: a key, p95`, p95(ours), p95(peer), 1),
    ];
  },
};

const rest = `${tui.restMs / 1000} s`;

/**
 * Every figure of the terminal UI, beside a bare process in the same run.
 * @param only  names of parts, with commas between; `undefined`: all of ours
 */
export async function tuiRows(bench: TuiBench, only?: string): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const name of only?.split(",") ?? Object.keys(parts)) {
    const measure = parts[name] ?? furtherParts[name];
    if (measure === undefined)
      throw new Error(`--only: ${name} is none of ${Object.keys({ ...parts, ...furtherParts }).join(", ")}`);
    bench.progress(`the terminal UI: ${name}`);
    rows.push(...(await measure(bench)));
  }
  return rows;
}

function keyRow(which: string, ours: number, bare: number, most: number): ReportRow {
  return row(`a key beside 10,000 lines and an answer, ${which}`, ms(ours), {
    bare: ms(bare),
    ...upTo(ours, most, ms),
  });
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

function count(value: number): string {
  return value.toFixed(0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
