import { governingNames } from "@capstan/protocol";

export function governingNamesPage(): string {
  const names = governingNames.map((name) => `- \`${name}\``).join("\n");
  return `# Governing names

Agents, editors, shells and git obey files and folders of these names, or run what they hold, wherever they lie. Case, characters without width, and dots and blanks at the end make no difference.

${names}

- File tools write them only after a question.
- A command in the sandbox cannot change what of them is there. What it newly makes is moved to quarantine when it ends (\`capstan quarantine list|restore|drop\`); nothing is deleted.
- Not moved: what lies in installed packages (\`node_modules\`, \`site-packages\`, \`dist-packages\`); the \`.git\` of a repository that git made (what would run a program in it is set aside), and what a clone below the open folder brings along; a
  \`.gitmodules\` that holds only places; a path that was there and was saved again; what was moved with a folder around it.
- Further paths count in a repository: hooks, \`config\`, \`config.worktree\`, \`commondir\` and \`gitdir\` of its folder, and where its settings look for hooks and further settings.
`;
}
