import { type PermissionMode, permissionModes, modeSentences } from "@capstan/protocol";
import type { SlashName } from "./slash-commands.ts";
import {
  showConfig,
  showCost,
  showDiff,
  showDoctor,
  showProblems,
  showGrants,
  showHelp,
  showTasks,
  showTranscript,
  showSkills,
  showTrust,
} from "./information.ts";
import { showAgents } from "./agents.ts";
import { context } from "./context.ts";
import { remember, showFacts } from "./facts.ts";
import { lastWords } from "./turn-words.ts";
import { showJournal } from "./journal.ts";
import { chooseModel } from "./models.ts";
import { choosePersonas } from "./personas.ts";
import { chooseSetting } from "./settings.ts";
import { redo, rewindTurns, undo } from "./rewind.ts";
import { chooseSession, deleteSession } from "./session-browser.ts";
import { exportSession, fork, openInbox } from "./sessions.ts";
import { discard, resume, send, submit, textOf } from "../run/sending.ts";
import { maxCopiedBytes } from "../terminal/clipboard.ts";
import { vimAtStart } from "../draft/vim/vim.ts";
import type { Chat } from "../run/chat.ts";

export { showHelp, showTranscript } from "./information.ts";

/** Carries out a command that was typed with `/`. @param rest  what follows its name */
export async function runSlash(chat: Chat, name: SlashName, rest: string): Promise<void> {
  try {
    await commands[name](chat, rest);
  } catch (error) {
    chat.say(error instanceof Error ? error.message : String(error));
  }
}

type Run = (chat: Chat, rest: string) => Promise<void> | void;

const commands: Readonly<Record<SlashName, Run>> = {
  help: showHelp,
  new: (chat) => chat.open({ type: "new" }),
  sessions: chooseSession,
  model: chooseModel,
  provider: (chat, rest) => chooseModel(chat, "", rest),
  mode: chooseMode,
  persona: choosePersonas,
  rewind: rewindTurns,
  undo,
  redo,
  retry,
  compact: async (chat) => void (await submit(chat, { type: "compact" })),
  proposals: toProposals,
  diff: showDiff,
  transcript: showTranscript,
  journal: showJournal,
  context,
  cost: showCost,
  tasks: showTasks,
  agents: showAgents,
  queue: takeBackQueued,
  inbox: openInbox,
  rename: async (chat, rest) => void (await submit(chat, { type: "title", title: rest })),
  fork,
  export: exportSession,
  delete: deleteSession,
  config: showConfig,
  settings: chooseSetting,
  problems: showProblems,
  doctor: showDoctor,
  grants: showGrants,
  remember,
  facts: showFacts,
  skills: showSkills,
  trust: showTrust,
  copy: copyAnswer,
  resume,
  discard,
  screen: (chat) => chat.toggleScreen(),
  vim: toggleVim,
  quit: (chat) => chat.quit(),
};

/** To the card of what the session proposes. */
function toProposals(chat: Chat): void {
  const { asked, proposed } = chat.session;
  if (proposed === 0) return chat.say("Nothing is proposed.");
  if (asked[0]?.request.type !== "proposed")
    return chat.say("The turn must end first; then what is proposed has a card.");
  chat.toCard();
}

async function chooseMode(chat: Chat, rest: string): Promise<void> {
  const named = permissionModes.find((mode) => mode === rest);
  if (rest !== "" && named === undefined)
    return chat.say(`There is no mode ${rest}; there are ${permissionModes.join(", ")}.`);
  const at = permissionModes.indexOf(chat.session.transcript.config?.mode ?? "default");
  const mode =
    named ??
    (await chat.overlays.pick(
      "Mode",
      permissionModes.map((value) => ({ value, label: value, about: modeSentences[value] })),
      at,
    ));
  if (mode !== null) await setMode(chat, mode);
}

async function setMode(chat: Chat, mode: PermissionMode): Promise<void> {
  const receipt = await submit(chat, { type: "set", settings: { mode } });
  if (receipt.type === "accepted") chat.say(`${mode}: ${modeSentences[mode]}`);
}

/** Through plan, default and accept-edits: what lets more pass is chosen by name. */
export async function nextMode(chat: Chat): Promise<void> {
  if (!chat.hasSession) return;
  const ring: readonly PermissionMode[] = ["default", "accept-edits", "plan"];
  const at = ring.indexOf(chat.session.transcript.config?.mode ?? "default");
  await setMode(chat, ring[(at + 1) % ring.length] ?? "default");
}

/** The last words that were sent, and what was attached to them, sent again. */
async function retry(chat: Chat): Promise<void> {
  const last = await lastWords(chat);
  if (last === null) return chat.say("Nothing was sent yet.");
  await send(chat, last);
}

/** What waits in line is a draft again, the newest first. */
export async function takeBackQueued(chat: Chat): Promise<void> {
  const queued = chat.session.transcript.queued.at(-1);
  if (queued === undefined) return chat.say("Nothing waits to be sent.");
  const receipt = await submit(chat, { type: "queue-change", turnId: queued.turnId, change: { type: "remove" } });
  if (receipt.type === "refused") return;
  chat.handBack(textOf(queued.words));
}

function copyAnswer(chat: Chat): void {
  const cells = [...chat.cells()].toReversed();
  const answer = cells.find((cell) => cell.type === "answer" && cell.parts.some(({ type }) => type === "text"));
  const text =
    answer?.type === "answer" ? answer.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") : "";
  if (text === "") return chat.say("There is no answer to copy yet.");
  const bytes = Buffer.byteLength(text);
  if (bytes > maxCopiedBytes)
    return chat.say(
      `Not copied: the answer has ${Math.ceil(bytes / 1024)} KB, and terminals take ${maxCopiedBytes / 1024}. \`/export FILE\` writes it.`,
    );
  chat.copy(text);
  chat.say(`Copied ${text.length} characters`);
}

/** For as long as this runs. */
function toggleVim(chat: Chat): void {
  chat.vim = chat.vim === null ? vimAtStart : null;
  const state = chat.vim === null ? "off" : "on: Esc leads to normal mode";
  chat.say(`Keys of vim are ${state}. \`[tui] vim\` in the configuration decides how Capstan begins.`);
}
