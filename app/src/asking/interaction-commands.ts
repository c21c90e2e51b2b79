import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as readingCommands from "./reading-commands.ts";
import { collect } from "../command-line/settings-flags.ts";

type Finish = (exitCode: number) => void;

/** What waits for a user, in all sessions. */
export function addInteractions(program: Command, finish: Finish): void {
  const interactions = program
    .command("interactions")
    .description("list and answer what waits for a user, in all sessions");
  commandAlone(interactions, "list")
    .description("list what waits, oldest first")
    .option("--session <id>", "only of this session, by id or name")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await commands()).listInteractions(flags)));
  interactions
    .command("show")
    .argument("<id>", "the interaction, or a unique beginning of its id")
    .description("show everything it takes to decide, and the command for each answer")
    .option("--json", "for machines")
    .action(async (id: string, flags) => finish(await (await commands()).showInteraction(id, flags)));
  addAnswer(interactions, finish);
  interactions
    .command("watch")
    .description("show what is asked and what is settled, as it comes, until Ctrl-C (exit 0)")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await commands()).watchInteractions(flags)));
}

function addAnswer(interactions: Command, finish: Finish): void {
  withAnswerFlags(interactions.command("answer"))
    .argument("[ids...]", "interactions, or unique beginnings of their ids")
    .description("answer; the first valid answer counts, whatever process it comes from")
    .action(async (ids: readonly string[], flags) => finish(await (await commands()).answerInteractions(ids, flags)));
}

/** How an answer is said. */
export function withAnswerFlags(command: Command): Command {
  return command
    .option("--approve", "let the call run")
    .option(
      "--remember <what>",
      "with --approve: what is not asked again in this session (file, family, command, host, tool, or workspace: all changes in it); always: this very call, for good",
    )
    .option("--deny", "do not let it run, or give no answer")
    .option("--message <text>", "with --deny or --plan adjust: words for the model")
    .option("--edit <json>", "let it run with these arguments instead; they are checked again")
    .option("--reply <text>", "answer to a question, one for each, in order; several choices with commas", collect)
    .option("--plan <decision>", "proceed, proceed-clean, adjust or cancel")
    .option("--mode <mode>", "with --plan proceed: the mode to carry it out in (default: accept-edits)")
    .option("--continue", "allow as much again")
    .option("--stop", "end the turn at its limit")
    .option("--recovery <choice>", "accept-as-done, run-again, undo, tell-model or discard")
    .option("--digest <hex>", "count only if this is what is asked: the beginning of its digest, 8 characters at least")
    .option("--batch <session>", "every approval that waits in this session, at once")
    .option("--json", "a JSON object per answer");
}

/** Approvals that hold from then on. */
export function addGrants(policy: Command, finish: Finish): void {
  const grants = policy.command("grants").description("list and revoke approvals that hold for good");
  commandAlone(grants, "list")
    .description("list them, oldest first")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await commands()).listGrants(flags)));
  grants
    .command("show")
    .argument("<id>", "the grant, or a unique beginning of its id")
    .description("show what it allows, where, and where it came from")
    .option("--json", "for machines")
    .action(async (id: string, flags) => finish(await (await commands()).showGrant(id, flags)));
  grants
    .command("revoke")
    .argument("<ids...>", "grants, or unique beginnings of their ids")
    .description("take them back: every session that is opened from now on asks again")
    .action(async (ids: readonly string[]) => finish(await (await commands()).revokeGrants(ids)));
}

async function commands(): Promise<typeof readingCommands> {
  return await import("./reading-commands.ts");
}
