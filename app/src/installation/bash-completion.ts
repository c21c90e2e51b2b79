import type { CommandEntry } from "./command-table.ts";
import { kindText, pathKey, quoted, valuedFlags } from "./shell-text.ts";

/** `capstan completion bash`. Commands, flags and choices stand in the script; ids are asked of the program. */
export function bashCompletion(table: readonly CommandEntry[]): string {
  return `# Completion of capstan for bash: eval "$(capstan completion bash)"
_capstan_entry() {
  commands= flags= argument=
  case "$1" in
${table.map(entryLine).join("\n")}
  esac
}
_capstan_value() {
  case "$1" in
${[...valuedFlags(table)].map(([kind, keys]) => `    ${keys.map(quoted).join("|")}) value=${quoted(kind)} ;;`).join("\n")}
    *) value= ;;
  esac
}
_capstan_propose() {
  case "$1" in
    words\\ *) COMPREPLY=($(compgen -W "\${1#words }" -- "$2")) ;;
    folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$2")) ;;
    files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$2")) ;;
    sessions|interactions) COMPREPLY=($(compgen -W "$("$3" completion "$1" 2>/dev/null | cut -f1)" -- "$2")) ;;
  esac
}
_capstan() {
  local IFS=$' \\t\\n' path= commands flags argument value word index
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # bash parts words at "=": the flag stands one further back.
  if [[ $current == "=" ]]; then current=; elif [[ $previous == "=" ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  _capstan_entry ""
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    [[ $word == -- ]] && return
    _capstan_value "$path $word"
    if [[ -n $value ]]; then
      ((index += 1))
      [[ \${COMP_WORDS[index]} == "=" ]] && ((index += 1))
    elif [[ " $commands " == *" $word "* ]]; then
      path="$path $word"
      _capstan_entry "$path"
    fi
  done
  _capstan_value "$path $previous"
  if [[ -n $value ]]; then
    _capstan_propose "$value" "$current" "$1"
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n $commands ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  else
    _capstan_propose "$argument" "$current" "$1"
  fi
}
complete -F _capstan capstan
`;
}

function entryLine(entry: CommandEntry): string {
  const commands = entry.commands.map(({ name }) => name).join(" ");
  const flags = entry.flags.flatMap(({ names }) => names).join(" ");
  const [word] = entry.words;
  const argument = word === undefined ? "" : kindText(word.value);
  return `    ${quoted(pathKey(entry.path))}) commands=${quoted(commands)} flags=${quoted(flags)} argument=${quoted(argument)} ;;`;
}
