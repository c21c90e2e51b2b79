import type { AddHelpTextContext } from "commander";

/** Paragraphs below a help, wrapped to the width of the terminal. */
export function paragraphs(...texts: readonly string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const help = command.createHelp();
    const width = command.configureOutput().getOutHelpWidth?.() ?? usualWidth;
    return texts.map((text) => `\n${help.boxWrap(text, width)}`).join("\n");
  };
}

const usualWidth = 80;
