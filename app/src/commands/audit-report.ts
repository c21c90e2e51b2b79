import { AppError } from "@capstan/protocol";
import { dataDirectory, DecisionCounts, type DecisionReport, openSessions } from "@capstan/host";
import { inertLine } from "@capstan/view";

/** Events of a journal that are held at a time. */
const eventsAtOnce = 2_000;

/** Characters of a name or rule in the readable form. */
const shownCharacters = 120;

export interface AuditReportFlags {
  readonly since?: string;
  readonly json?: boolean;
}

/** `capstan audit report`: how often calls were allowed, asked about and denied, by whose word, over all sessions. */
export async function reportAudit({ since, json }: AuditReportFlags): Promise<number> {
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : readSince(since, Date.now());
  const { store } = await openSessions(dataDirectory(process.env));
  const counts = new DecisionCounts();
  try {
    for (const { id, updatedAt } of await store.list()) {
      if (updatedAt < sinceMs) continue;
      for (let after = 0; ;) {
        // oxlint-disable-next-line no-await-in-loop -- one part of a journal after the other
        const events = await store.read(id, after, eventsAtOnce);
        for (const event of events) counts.add(id, event, sinceMs);
        const last = events.at(-1);
        if (last === undefined) break;
        after = last.seq;
      }
    }
  } finally {
    await store.close();
  }
  const report = counts.report();
  const from = Number.isFinite(sinceMs) ? new Date(sinceMs).toISOString() : null;
  const text = json === true ? JSON.stringify({ since: from, ...report }) : reportText(report, from);
  process.stdout.write(`${text}\n`);
  return 0;
}

function reportText(report: DecisionReport, from: string | null): string {
  const { sessions, verdicts, answers, answerers, unattended, remembered, tools, rules } = report;
  const calls = verdicts.allow + verdicts.ask + verdicts.deny;
  const asked = Object.entries(answers).map(([answer, count]) => `${answer} ${count}`);
  return [
    `${counted(calls, "call")} in ${counted(sessions, "session")}${from === null ? "" : ` since ${from}`}: ${verdictText(verdicts)}`,
    `Questions: ${asked.length === 0 ? "none" : asked.join(", ")}; nobody to ask: ${unattended}; approvals remembered: ${remembered}`,
    ...answerers.map((one) => `  ${name(one.name)}: ${counted(one.answers, "answer")}, ${one.approvals} of them yes`),
    ...(tools.length === 0 ? [] : ["By tool:"]),
    ...tools.map(({ tool, ...counts }) => `  ${name(tool)}: ${verdictText(counts)}`),
    ...(rules.length === 0 ? [] : ["By rule:"]),
    ...rules.map(({ rule, source, verdict, count }) => `  ${count} × ${verdict} by ${name(rule)} (${source})`),
  ].join("\n");
}

function name(text: string): string {
  return inertLine(text, shownCharacters);
}

function verdictText({ allow, ask, deny }: DecisionReport["verdicts"]): string {
  return `${allow} allowed, ${ask} asked about, ${deny} denied`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * When something begins to count: a day, a time, or how long ago.
 * @returns ms since 1970
 * @throws AppError `usage.invalid`
 */
export function readSince(text: string, nowMs: number): number {
  const ago = /^(\d{1,5})([hdw])$/.exec(text);
  if (ago !== null) return nowMs - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0);
  // A day begins where its reader is, a time with its zone anywhere.
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00`) : Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(at)) return at;
  throw new AppError(
    "usage.invalid",
    `--since takes a day (2026-11-01), a time (2026-11-01T08:00) or 12h, 7d, 4w, not ${JSON.stringify(text)}.`,
  );
}
