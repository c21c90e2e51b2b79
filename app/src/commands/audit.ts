import {
  type AuditEntry,
  type AuditFact,
  auditFile,
  type AuditHeader,
  dataDirectory,
  importedPart,
  openSessions,
  redactorOf,
  SessionArchive,
} from "@capstan/host";
import { canonicalJson, type ImportSource, type Origin, unreachable } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";
import { sessionMeant } from "../joining/session-here.ts";

/** Characters of a call's arguments and of a result in the readable form; `--json` has all of them. */
const shownCharacters = 2000;
const shownHashCharacters = 16;

/** `capstan audit verify SESSION`: whether each record follows on the one before it. Exit code 0: it does, 1: it does not. */
export async function verifyAudit(named: string | undefined, flags: { readonly json?: boolean }): Promise<number> {
  const { store } = await openSessions(dataDirectory(process.env));
  try {
    const id = await sessionMeant({ sessions: new SessionArchive(store) }, named, process.cwd());
    const problems = await store.check(id);
    const events = problems.length === 0 ? await store.readChained(id) : [];
    const [head, imported] = [headOf(events), importedPart(events)];
    if (flags.json === true)
      print(JSON.stringify({ sessionId: id, verified: problems.length === 0, head, imported, problems }));
    else if (problems.length === 0) print(`✓ Session ${id}: the chain is whole. Last hash: ${head ?? "none"}`);
    if (flags.json !== true && imported !== null) print(inertText(importedLine(imported)));
    for (const { seq, text } of flags.json === true ? [] : problems)
      print(inertText(`✗ ${seq === null ? "" : `record ${seq}: `}${text}`));
    return problems.length === 0 ? 0 : 1;
  } finally {
    await store.close();
  }
}

export interface AuditFlags {
  readonly json?: boolean;
  readonly exact?: boolean;
}

/** `capstan audit export SESSION`: who asked, what was answered, what allowed it, what ran, what came out. */
export async function exportAudit(named: string | undefined, flags: AuditFlags): Promise<number> {
  const { store } = await openSessions(dataDirectory(process.env));
  try {
    const id = await sessionMeant({ sessions: new SessionArchive(store) }, named, process.cwd());
    const redact = flags.exact === true ? undefined : redactorOf(await settingsFromFlags({}));
    const { header, entries } = auditFile(id, await store.readChained(id), redact);
    if (flags.json === true) for (const line of [header, ...entries]) print(JSON.stringify(line));
    else for (const text of [headLine(header), ...entries.map(linesOf)]) print(inertText(text));
    return 0;
  } finally {
    await store.close();
  }
}

function importedLine({ agent, sessionId, lastSeq }: ImportSource): string {
  const from = sessionId === "" ? agent : `${agent} (${sessionId})`;
  return `  Records 1 to ${lastSeq} were imported from ${from}: the chain vouches for them since then, not for what happened there.`;
}

function headLine({ sessionId, redacted, head }: AuditHeader): string {
  const kind = redacted
    ? "secrets are taken out, and the hashes are those of these lines; --exact gives those of the session"
    : "exact: it may hold secrets";
  return `Audit of session ${sessionId} (${kind}). Last hash of the session: ${head ?? "none"}`;
}

function headOf(events: readonly { readonly hash: string | null }[]): string | null {
  return events.findLast((event) => event.hash !== null)?.hash ?? null;
}

function linesOf({ seq, at, hash, what }: AuditEntry): string {
  const [head = "", ...more] = factLines(what);
  const link = hash === null ? "" : `  [${hash.slice(0, shownHashCharacters)}]`;
  return [`${at}  #${seq}  ${head}${link}`, ...more.map((line) => `    ${line}`)].join("\n");
}

function factLines(fact: AuditFact): readonly string[] {
  switch (fact.type) {
    case "opened":
      return [
        `session opened by ${nameOf(fact.by)} in ${fact.directory}, Capstan ${fact.version}${fact.forkedFrom === undefined ? "" : `, a copy of ${fact.forkedFrom}`}`,
        ...(fact.importedFrom === undefined ? [] : [importedLine(fact.importedFrom).trim()]),
      ];
    case "configured":
      return [`runs under ${fact.model}, mode ${fact.mode}, ${fact.tools} tools`];
    case "asked":
      return [`${nameOf(fact.by)} asked:`, ...shown(fact.text)];
    case "model-called":
      return [`${fact.model} is called${fact.attempt === 1 ? "" : ` (attempt ${fact.attempt})`}`];
    case "answered":
      return [
        `${fact.model} answered (${fact.costUsd === null ? "cost unknown" : `$${fact.costUsd.toFixed(4)}`}):`,
        ...shown(fact.text),
        ...fact.calls.map(({ call, tool, arguments: args }) => `call ${call}: ${tool} ${cut(canonicalJson(args))}`),
      ];
    case "model-failed":
      return [`the model call failed: ${fact.text}`];
    case "judged":
      return [
        `${fact.verdict}: ${fact.action}`,
        `because ${fact.reason}${fact.rule === undefined ? "" : `; rule ${fact.rule}`}`,
        `digest ${fact.digest}`,
      ];
    case "user-asked":
      return [`a user is asked: ${fact.question}`];
    case "user-answered":
      return [`${nameOf(fact.by)} answered: ${fact.answer}${fact.message === undefined ? "" : `: ${fact.message}`}`];
    case "ran":
      return [`runs: ${fact.action}`, `digest ${fact.digest}`];
    case "probed":
      return [`looked up after a crash: ${fact.action}: ${fact.text}`];
    case "came-out":
      return [
        `${fact.outcome}: ${fact.action} (${fact.durationMs} ms)`,
        ...fact.changes.map(
          ({ path, kind, addedLines, removedLines }) => `${kind} ${path} (+${addedLines} -${removedLines})`,
        ),
        ...shown(fact.text),
      ];
    case "ended":
      return [
        `the turn ended: ${fact.outcome}${fact.message === undefined ? "" : `: ${fact.message}`}${fact.rolledBack ? "; it was forgotten" : ""}`,
      ];
    case "noted":
      return [fact.text];
    default:
      return unreachable(fact);
  }
}

function nameOf({ frontend, user }: Origin): string {
  return user === undefined ? frontend : `${user} (${frontend})`;
}

function shown(text: string): readonly string[] {
  return text.trim() === ""
    ? []
    : cut(inertText(text))
        .trimEnd()
        .split("\n")
        .map((line) => `| ${line}`);
}

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()} …` : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
