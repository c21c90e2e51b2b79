import { cutRow, inertLine, type Row, rowOf, wrapRow } from "@capstan/view";
import { cellRows } from "../cells/cell-rows.ts";
import { counted } from "../cells/cell-view.ts";
import { diffRows } from "../cells/diff-rows.ts";
import { customCommands } from "./custom-commands.ts";
import { slashCommands } from "./slash-commands.ts";
import { keyHelp } from "../input/key-help.ts";
import { wholeTranscript } from "./whole-transcript.ts";
import { submit } from "../run/sending.ts";
import { type Chat, cwdOf } from "../run/chat.ts";

const lineCharacters = 500;
const helpColumns = 26;

/** Keys and commands. */
export function showHelp(chat: Chat): void {
  const pair = (head: string, about: string): readonly Row[] =>
    wrapRow([{ text: about, roles: [] }], Math.max(20, chat.columns - helpColumns)).map((row, at) => [
      { text: (at === 0 ? head : "").padEnd(helpColumns), roles: ["accent"] },
      ...row,
    ]);
  chat.overlays.show("Help", [
    rowOf("Keys", "strong"),
    ...keyHelp(chat.keymap).flatMap(([keys, about]) =>
      keys.length < helpColumns ? pair(keys, about) : [rowOf(keys, "accent"), ...pair("", about)],
    ),
    [],
    rowOf("Commands", "strong"),
    ...[...slashCommands, ...customCommands(chat)].flatMap(({ name, takes, about }) => {
      const head = `/${name}${takes === "" ? "" : ` ${takes}`}`;
      return head.length < helpColumns ? pair(head, about) : [rowOf(head, "accent"), ...pair("", about)];
    }),
  ]);
}

export function showTasks(chat: Chat): void {
  const { tasks } = chat.session.transcript;
  const marks = { pending: "☐", "in-progress": "▸", done: "☑" } as const;
  if (tasks.length === 0) return chat.say("The model has no task list.");
  const rows = tasks.flatMap(({ step, status }) =>
    wrapRow(
      [{ text: `${marks[status]} ${inertLine(step, lineCharacters)}`, roles: status === "done" ? ["muted"] : [] }],
      chat.columns,
    ),
  );
  chat.overlays.show("Tasks", rows);
}

/** Everything that was said and done, whole, from the first record on. */
export async function showTranscript(chat: Chat): Promise<void> {
  if (!chat.hasSession) return;
  const cells = await wholeTranscript(chat.session);
  const rows: Row[] = [];
  const marks: number[] = [];
  for (const cell of cells) {
    if (cell.type === "user") marks.push(rows.length + 1);
    rows.push(...cellRows(cell, { columns: chat.columns, now: Date.now(), user: chat.identity.user, isWhole: true }));
  }
  chat.overlays.show("Transcript", rows, { marks, atEnd: true });
}

export function showCost(chat: Chat): void {
  const { spending } = chat.session.transcript;
  const { usage, modelCalls, costUsd } = spending;
  chat.overlays.show("Cost", [
    rowOf(counted(modelCalls, "model call")),
    rowOf(`${usage.inputTokens} tokens in, of which ${usage.cachedInputTokens} from the cache`),
    rowOf(`${usage.outputTokens} tokens out`),
    rowOf(costUsd === null ? "cost unknown: a price is not known" : `$${costUsd.toFixed(4)}`),
  ]);
}

/** What the calls of this session changed, file by file in the order of the calls. */
export async function showDiff(chat: Chat): Promise<void> {
  const cells = await wholeTranscript(chat.session);
  const changes = cells.flatMap((cell) =>
    cell.type === "call" && cell.state.type === "ended" ? cell.state.end.changes : [],
  );
  if (changes.length === 0) return chat.say("This session changed no file.");
  const marks: number[] = [];
  const rows: Row[] = [];
  for (const { path, kind, addedLines, removedLines, diff } of changes) {
    marks.push(rows.length);
    rows.push(cutRow(rowOf(`${kind} ${path} (+${addedLines} −${removedLines})`, "strong"), chat.columns));
    rows.push(...(diff === undefined ? [] : diffRows(diff, chat.columns, true)), []);
  }
  chat.overlays.show("Changes of this session", rows, { marks });
}

export async function showConfig(chat: Chat, rest: string): Promise<void> {
  const wanted = rest.toLowerCase();
  const entries = (await chat.engine.config()).filter(({ key }) => key.includes(wanted));
  const rows = entries.flatMap(({ key, value, origin, locked }): readonly Row[] => [
    cutRow(
      [
        ...rowOf(key, "accent"),
        ...rowOf(` = ${inertLine(JSON.stringify(value), lineCharacters)}`),
        ...rowOf(`  ${origin}${locked === undefined ? "" : `, locked: ${locked}`}`, "muted"),
      ],
      chat.columns,
    ),
  ]);
  chat.overlays.show(`Settings (${entries.length}); they are changed in config.toml or with --set`, rows);
}

/** `/problems`: what language servers find wrong with the files that this session changed. */
export async function showProblems(chat: Chat): Promise<void> {
  chat.say("looking …");
  const problems = await chat.engine.problems(chat.session.client.id);
  if (problems === null)
    return chat.say("No language server was asked: it is when the model changes a file of its kind.");
  if (problems.length === 0) return chat.say("The files that this session changed have no problems.");
  const roles = { error: "bad", warning: "warning", information: "muted", hint: "muted" } as const;
  const rows = problems.flatMap(({ path, line, column, severity, text }) =>
    wrapRow(
      [
        { text: `${severity} `, roles: [roles[severity]] },
        { text: inertLine(`${nameIn(cwdOf(chat), path)}:${line}:${column}: ${text}`, lineCharacters), roles: [] },
      ],
      chat.columns,
    ),
  );
  chat.overlays.show(`Problems (${problems.length})`, rows);
}

function nameIn(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

export async function showDoctor(chat: Chat): Promise<void> {
  chat.say("looking …");
  const checks = await chat.engine.doctor();
  const marks = { good: "✓ ", bad: "✗ ", note: "· " } as const;
  const roles = { good: "good", bad: "bad", note: "muted" } as const;
  const rows = checks.flatMap(({ name, verdict, text, advice }): readonly Row[] => [
    ...wrapRow(
      [
        { text: marks[verdict], roles: [roles[verdict]] },
        { text: `${inertLine(name, lineCharacters)}: ${inertLine(text, lineCharacters)}`, roles: [] },
      ],
      chat.columns,
    ),
    ...(advice === undefined
      ? []
      : wrapRow([{ text: `  ${inertLine(advice, lineCharacters)}`, roles: ["accent"] }], chat.columns)),
  ]);
  chat.overlays.show("Doctor", rows);
}

/** Remembered approvals; the one that is chosen is taken back. */
export async function showGrants(chat: Chat): Promise<void> {
  const { grants } = await chat.session.client.snapshot();
  const always = await chat.engine.grants.list();
  const entries = [
    ...grants.map((grant) => ({
      value: { id: grant.id, isHere: true },
      label: inertLine(grant.rule.text, lineCharacters),
      about: grant.scope,
    })),
    ...always.map((grant) => ({
      value: { id: grant.id, isHere: false },
      label: inertLine(grant.rule.text, lineCharacters),
      about: "always",
    })),
  ];
  if (entries.length === 0) return chat.say("No approval is remembered.");
  const chosen = await chat.overlays.pick("Remembered approvals: Enter takes one back", entries);
  if (chosen === null) return;
  if (chosen.isHere) await submit(chat, { type: "revoke-grant", grantId: chosen.id });
  else if (!(await chat.engine.grants.revoke(chosen.id, chat.identity))) return chat.say("It was taken back already.");
  chat.say("It is no longer remembered.");
}

/** What teaches models; the one that is chosen is asked for in words, which are the user's to finish. */
export async function showSkills(chat: Chat): Promise<void> {
  const skills = await chat.engine.skills();
  if (skills.length === 0) return chat.say("There are no skills. `capstan skills` says where they belong.");
  const chosen = await chat.overlays.pick(
    "Skills: Enter asks the model to use one",
    skills.map(({ name, description }) => ({
      value: name,
      label: inertLine(name, lineCharacters),
      about: inertLine(description, lineCharacters),
    })),
  );
  if (chosen !== null) chat.handBack(`Use the skill ${chosen}: `);
}

export async function showTrust(chat: Chat): Promise<void> {
  const [question] = await chat.engine.trust.questions();
  if (question === undefined) return chat.say("This folder brings along nothing that you have not decided on.");
  const { folder, digest, files } = question;
  const named = files.map(
    ({ name, about }) => `${inertLine(name, lineCharacters)} (${inertLine(about, lineCharacters)})`,
  );
  const answer = await chat.overlays.pick(`${inertLine(folder, lineCharacters)} brings along: ${named.join(", ")}`, [
    { value: "not-now" as const, label: "not now", about: "nothing of it is used" },
    {
      value: "trust" as const,
      label: "trust",
      about: "for sessions that begin from now on, as long as it stays as it is",
    },
  ]);
  if (answer === null) return;
  const isCounted = await chat.engine.trust.answer({ folder, digest }, answer, chat.identity);
  chat.say(isCounted ? `Answered: ${answer}.` : "It has changed meanwhile; look again.");
}
