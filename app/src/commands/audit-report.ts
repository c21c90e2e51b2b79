import { dataDirectory, DecisionCounts, type DecisionReport, openSessions } from "@capstan/host";
import { inertLine } from "@capstan/view";
import { readSince } from "../aging/read-since.ts";

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
