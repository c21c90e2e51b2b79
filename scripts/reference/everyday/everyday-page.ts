import { markdownTable } from "../markdown-table.ts";
import { commandsOf, type Everyday, type EverydayCommand } from "./everyday-command.ts";
import { everydays } from "./everydays.ts";

/** What ordinary commands do in the sandbox, as `test/everyday` finds it with the real binary. */
export function everydayPage(): string {
  const all = everydays.flatMap((everyday) => commandsOf(everyday));
  const succeeding = all.filter(({ code = 0, reaches }) => code === 0 && reaches === undefined).length;
  const same = all.filter(({ differs }) => differs === undefined).length;
  return `# Everyday commands

${all.length} ordinary commands in small repositories of ${everydays.length} kinds, each typed in a shell and called in a session of Capstan in mode \`accept-edits\`, one after another. ${succeeding} of them
succeed in the shell. ${same} do exactly the same in the sandbox: the exit code and every line are equal (but for times and ids), and so is what lies in the workspace afterwards. The others say why not,
and what to do. Made from \`scripts/reference/everyday\`, tried by \`npm run test:all -- test/everyday\`; what needs a toolchain that is missing is skipped there.

${everydays.map((everyday) => section(everyday)).join("\n")}`;
}

function section(everyday: Everyday): string {
  const commands = commandsOf(everyday);
  const rows = commands.map((each) => [inline(each.command), outside(each), each.differs ?? "the same"]);
  return `## ${everyday.name}\n\n${markdownTable(["command", "exit code outside", "in the sandbox"], rows)}\n`;
}

function outside({ code = 0, reaches }: EverydayCommand): string {
  return reaches === undefined ? String(code) : "(not tried)";
}

/** On one line; a command may hold backticks. */
function inline(command: string): string {
  const line = command.replaceAll("\n", " ⏎ ");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
