import { type PermissionMode, permissionModes, modeSentences, userText } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import type { SlashName } from "../ui/slash-commands.ts";
import {
  showConfig,
  showContext,
  showCost,
  showDiff,
  showDoctor,
  showGrants,
  showHelp,
  showTasks,
  showTranscript,
  showTrust,
} from "./information.ts";
import { promptOf } from "./prompts.ts";
import { redo, rewindTurns, undo } from "./rewind.ts";
import { chooseSession, deleteSession, exportSession, fork, openInbox } from "./sessions.ts";
import { cancel, send, submit, textOf } from "./sending.ts";
import type { Tui } from "./tui.ts";

export { showHelp, showTasks, showTranscript } from "./information.ts";

const titleCharacters = 200;

/** Carries out a command that was typed with `/`. @param rest  what follows its name */
export async function runSlash(tui: Tui, name: SlashName, rest: string): Promise<void> {
  try {
    await commands[name](tui, rest);
  } catch (error) {
    tui.say(error instanceof Error ? error.message : String(error));
  }
}

type Run = (tui: Tui, rest: string) => Promise<void> | void;

const commands: Readonly<Record<SlashName, Run>> = {
  help: showHelp,
  new: (tui) => tui.open({ type: "new" }),
  sessions: chooseSession,
  model: chooseModel,
  mode: chooseMode,
  rewind: rewindTurns,
  undo,
  redo,
  retry,
  compact: async (tui) => void (await submit(tui, { type: "compact" })),
  diff: showDiff,
  transcript: showTranscript,
  context: showContext,
  cost: showCost,
  tasks: showTasks,
  queue: takeBackQueued,
  inbox: openInbox,
  rename: async (tui, rest) => void (await submit(tui, { type: "title", title: rest })),
  fork,
  export: exportSession,
  delete: deleteSession,
  config: showConfig,
  doctor: showDoctor,
  grants: showGrants,
  trust: showTrust,
  copy: copyAnswer,
  resume: async (tui) => void (await submit(tui, { type: "resume" })),
  discard: (tui) => cancel(tui, "interrupted"),
  screen: (tui) => tui.toggleScreen(),
  init: (tui, rest) => sendPrompt(tui, "init", rest),
  commit: (tui, rest) => sendPrompt(tui, "commit", rest),
  review: (tui, rest) => sendPrompt(tui, "review", rest),
  test: (tui, rest) => sendPrompt(tui, "test", rest),
  fix: (tui, rest) => sendPrompt(tui, "fix", rest),
  explain: (tui, rest) => sendPrompt(tui, "explain", rest),
  quit: (tui) => tui.quit(),
};

async function sendPrompt(tui: Tui, name: Parameters<typeof promptOf>[0], rest: string): Promise<void> {
  await send(tui, userText(promptOf(name, rest)));
}

async function chooseModel(tui: Tui, rest: string): Promise<void> {
  const model = rest === "" ? await pickModel(tui) : rest;
  if (model === null) return;
  const receipt = await submit(tui, { type: "set", settings: { model } });
  if (receipt.type === "accepted") tui.say(`The model is ${model}`);
}

async function pickModel(tui: Tui): Promise<string | null> {
  tui.say("asking the vendors for their models …");
  const models = await tui.engine.models();
  const current = tui.session.transcript.config?.model;
  const name = current === undefined ? "" : `${current.provider}/${current.id}`;
  const entries = models.map((model) => ({
    value: model.name,
    label: inertLine(model.name, titleCharacters),
    about: [
      model.name === name ? "now" : "",
      model.contextWindowTokens === undefined ? "" : `${Math.round(model.contextWindowTokens / 1000)}k tokens`,
    ]
      .filter((part) => part !== "")
      .join(" · "),
  }));
  const at = Math.max(
    0,
    models.findIndex((model) => model.name === name),
  );
  return await tui.overlays.pick("Models that your keys reach", entries, at);
}

async function chooseMode(tui: Tui, rest: string): Promise<void> {
  const named = permissionModes.find((mode) => mode === rest);
  if (rest !== "" && named === undefined)
    return tui.say(`There is no mode ${rest}; there are ${permissionModes.join(", ")}.`);
  const at = permissionModes.indexOf(tui.session.transcript.config?.mode ?? "default");
  const mode =
    named ??
    (await tui.overlays.pick(
      "Mode",
      permissionModes.map((value) => ({ value, label: value, about: modeSentences[value] })),
      at,
    ));
  if (mode !== null) await setMode(tui, mode);
}

async function setMode(tui: Tui, mode: PermissionMode): Promise<void> {
  const receipt = await submit(tui, { type: "set", settings: { mode } });
  if (receipt.type === "accepted") tui.say(`${mode}: ${modeSentences[mode]}`);
}

/** Through plan, default and accept-edits: what lets more pass is chosen by name. */
export async function nextMode(tui: Tui): Promise<void> {
  if (!tui.hasSession) return;
  const ring: readonly PermissionMode[] = ["default", "accept-edits", "plan"];
  const at = ring.indexOf(tui.session.transcript.config?.mode ?? "default");
  await setMode(tui, ring[(at + 1) % ring.length] ?? "default");
}

/** The last words of the user, sent again. */
async function retry(tui: Tui): Promise<void> {
  const [last] = [...tui.history.entries].toReversed().filter((entry) => !/^[/!]/.test(entry));
  if (last === undefined) return tui.say("Nothing was sent yet.");
  await send(tui, userText(last));
}

/** What waits in line is a draft again, the newest first. */
export async function takeBackQueued(tui: Tui): Promise<void> {
  const queued = tui.session.transcript.queued.at(-1);
  if (queued === undefined) return tui.say("Nothing waits to be sent.");
  const receipt = await submit(tui, { type: "queue-change", turnId: queued.turnId, change: { type: "remove" } });
  if (receipt.type === "refused") return;
  tui.handBack(textOf(queued.words));
}

function copyAnswer(tui: Tui): void {
  const cells = [...tui.cells()].toReversed();
  const answer = cells.find((cell) => cell.type === "answer" && cell.parts.some(({ type }) => type === "text"));
  const text =
    answer?.type === "answer" ? answer.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") : "";
  if (text === "") return tui.say("There is no answer to copy yet.");
  tui.copy(text);
  tui.say(`Copied ${text.length} characters`);
}
