import type { CommandEntry } from "./command-table.ts";
import { kindText, pathKey, quoted, valuedFlags } from "./shell-text.ts";

/** `capstan completion zsh`: what bash's does, with descriptions. */
export function zshCompletion(table: readonly CommandEntry[]): string {
  return `#compdef capstan
# Completion of capstan for zsh: source <(capstan completion zsh), after compinit.
_capstan_entry() {
  commands=() flags=() argument=
  case "$1" in
${table.map(entryLines).join("\n")}
  esac
}
_capstan_value() {
  case "$1" in
${[...valuedFlags(table)].map(([kind, keys]) => `    ${keys.map(quoted).join("|")}) value=${quoted(kind)} ;;`).join("\n")}
    *) value= ;;
  esac
}
_capstan_propose() {
  local -a found
  case "$1" in
    words\\ *) compadd -- \${(s: :)1#words } ;;
    folders) _files -/ ;;
    files) _files ;;
    sessions|interactions)
      found=(\${(f)"$("$2" completion "$1" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')"})
      _describe "$1" found ;;
  esac
}
_capstan() {
  local key= argument= value= word index
  local -a commands flags
  _capstan_entry ""
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    [[ $word == -- ]] && return
    _capstan_value "$key $word"
    if [[ -n $value ]]; then
      ((index += 1))
    elif (( \${commands[(I)$word:*]} )); then
      key="$key $word"
      _capstan_entry "$key"
    fi
  done
  _capstan_value "$key \${words[CURRENT - 1]}"
  if [[ -n $value ]]; then
    _capstan_propose "$value" "\${words[1]}"
  elif [[ \${words[CURRENT]} == -* ]]; then
    _describe -o flag flags
  elif (( $#commands )); then
    _describe command commands
  else
    _capstan_propose "$argument" "\${words[1]}"
  fi
}
if [ "$funcstack[1]" = "_capstan" ]; then _capstan "$@"; else compdef _capstan capstan; fi
`;
}

function entryLines({ path, commands, flags, words }: CommandEntry): string {
  const listed = commands.map(({ name, description }) => described(name, description));
  const flagged = flags.flatMap(({ names, description }) => names.map((name) => described(name, description)));
  const argument = words[0] === undefined ? "" : kindText(words[0].value);
  return `    ${quoted(pathKey(path))})
      commands=(${listed.join(" ")})
      flags=(${flagged.join(" ")})
      argument=${quoted(argument)} ;;`;
}

/** zsh parts a word from its description at the first colon. */
function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description}`);
}
