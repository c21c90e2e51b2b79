import type { CommandEntry, FlagEntry } from "./command-table.ts";
import { pathKey } from "./shell-text.ts";
import type { ValueKind } from "./value-kinds.ts";

/** `capstan completion fish`: one `complete` for each command, flag and argument. */
export function fishCompletion(table: readonly CommandEntry[]): string {
  const keys = table.filter(({ path }) => path.length > 0).map(({ path }) => quoted(pathKey(path)));
  const valued = table.flatMap(({ path, flags }) =>
    flags
      .filter(({ value }) => value !== undefined)
      .flatMap(({ names }) => names.map((name) => quoted(`${pathKey(path)} ${name}`))),
  );
  return `# Completion of capstan for fish: capstan completion fish | source
set -g __capstan_commands ${keys.join(" ")}
set -g __capstan_valued ${valued.join(" ")}
function __capstan_at
  set -l path ''
  set -l words (commandline -opc)
  set -l index 2
  while test $index -le (count $words)
    set -l word $words[$index]
    test "$word" = --; and return 1
    if contains -- "$path $word" $__capstan_valued
      set index (math $index + 1)
    else if contains -- "$path $word" $__capstan_commands
      set path "$path $word"
    end
    set index (math $index + 1)
  end
  test "$path" = "$argv[1]"
end
complete -c capstan -f
${table.flatMap(entryLines).join("\n")}
`;
}

function entryLines(entry: CommandEntry): readonly string[] {
  const at = `complete -c capstan -n ${quoted(`__capstan_at ${quoted(pathKey(entry.path))}`)}`;
  const [word] = entry.words;
  const argument = word === undefined ? undefined : proposals(word.value);
  return [
    ...entry.commands.map(({ name, description }) => `${at} -a ${quoted(name)} -d ${quoted(description)}`),
    ...entry.flags.map((flag) => `${at}${flagWords(flag)}`),
    ...(argument === undefined || entry.commands.length > 0 ? [] : [`${at} ${argument}`]),
  ];
}

function flagWords({ names, description, value }: FlagEntry): string {
  const spelled = names.map((name) => (name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`));
  const after =
    value === undefined ? "" : ` ${value.type === "files" ? "-r" : "-x"} ${proposals(value) ?? ""}`.trimEnd();
  return `${spelled.join("")}${after} -d ${quoted(description)}`;
}

function proposals(kind: ValueKind): string | undefined {
  switch (kind.type) {
    case "words":
      return `-a ${quoted(kind.words.join(" "))}`;
    case "folders":
      return `-a '(__fish_complete_directories)'`;
    case "files":
      return "-F";
    case "sessions":
    case "interactions":
      return `-a '(capstan completion ${kind.type} 2>/dev/null)'`;
    case "text":
      return undefined;
  }
}

/** fish knows only these two as special inside single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
