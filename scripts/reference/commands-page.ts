import { wholeProgram } from "../../app/src/program.ts";

type Command = ReturnType<typeof wholeProgram>;

/** As wide as where no terminal says how wide it is. Columns. */
const columns = 80;

/** The help of every command, as the binary prints it. */
export function commandsPage(): string {
  const sections = helpSections(wholeProgram(), []);
  return `# Commands\n\n\`capstan -p PROMPT\` is \`capstan run PROMPT\`. Every command takes \`--help\`.\n\n${sections.join("\n\n")}\n`;
}

function helpSections(command: Command, before: readonly string[]): readonly string[] {
  const path = [...before, command.name()];
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== "help");
  return [
    `## \`${path.join(" ")}\`\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``,
    ...below.flatMap((one) => helpSections(one, path)),
  ];
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => columns });
  command.outputHelp();
  return text.trim();
}
