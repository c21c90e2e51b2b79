/** Names that commands of a generated script begin with: recorders, real programs, and whatever some shell treats apart. */
export const plainNames: readonly string[] = "k ka kb git npm node ls cat grep make tool_1 A _x".split(" ");

/** Reserved words, builtins, modifiers, predefined aliases, and names with a character that means something at the start. */
export const oddNames: readonly string[] = (
  "if then else elif fi for foreach select while until repeat do done case esac in end function time coproc nocorrect noglob namespace " +
  "declare export float integer local readonly typeset private unset set shift return exit break continue exec eval builtin command " +
  "trap times wait read let test echo printf cd pwd alias unalias hash type history fc r run-help which-command whence where which " +
  "source . : @ % %1 %% + , 7 42 1x a/b ./k a.b a-b a:b a@b a+b a,b a%b x=1 x+=1 _=k =k =ls - -k -- +x nohup env nice sudo true false " +
  "enable bindkey zmodload setopt emulate getopts umask ulimit jobs fg bg kill disown dirs pushd popd logout shopt complete newgrp"
).split(" ");

/** Arguments without quotes. */
export const bareArguments: readonly string[] = (
  "a b ab x -y --long --key=value a/b ../c . .. , : % %1 @ + = == 7 2 1,2 a=b a==b a=:b x:=y a=b:c=d -o=x http://h/p?q k@h:p _ " +
  "if then done esac in time 0x1f 1e5 a+b +%s %h:%s @- -- - -k=v,w origin/main HEAD@ v1.2.3 -5 -n5 :a a: ./a /a // =x"
).split(" ");

/** Quoted pieces the lexer may accept. */
export const quotedPieces: readonly string[] = [
  "'a b'", '"a b"', "''", '""', "'$x'", "'*'", "'~'", '"~"', "'#'", '"#x"', "'!'", "'\\'", "'\\n'", "'`'", "'$(k)'", "'{a,b}'", '"{a,b}"',
  "'a;b'", '"a;b"', "'&&'", '"|"', "'>'", "'<<E'", "'\"'", '"\'"', "'a'\"b\"", "' '", "'='", "'=k'", "'?'", "'[a]'", "'(a)'", '"(a)"', "'^a^b'", "'%1'",
]; // prettier-ignore

/** What joins two commands. */
export const joints: readonly string[] = [
  ";", "; ", " ; ", "\n", "\n\n", " \n ", ";\n", "&&", " && ", "&&\n", " &&\n\n", "||", " || ", "||\n ", "|", " | ", "|\n", " |\n\n ",
]; // prettier-ignore

/** Near misses, put anywhere: most must make the lexer decline, and what it still takes must be what shells see. */
export const hostilePieces: readonly string[] = [
  "\\", "\\\n", "\\ ", "\\;", "\\'", "$", "$x", "${x}", "$(k)", "$'a'", '$"a"', "$((1))", "`", "`k`", "*", "?", "[a]", "[[", "]]", "[", "]", "~",
  "~/", "~root", "~+", "{x,y}", "{1..3}", "{", "}", "{}", "#", "#x", " #", " # x", "!", "!!", "!k", "^", "^a^b", "&", "&!", "&|", "&>", ">", ">>",
  ">|", "<", "<>", "<<E", "<<<", "2>", "2>&1", "1>", "7<", "(", ")", "()", "((", "))", ";;", ";&", ";|", ";;&", "|&", "|||", "&&&", ";;;", "=", "=k",
  " =k", "==", "+=", "'", '"', "''", '""', "\t", "\r", "\r\n", "\v", "\f", "\u00a0", "\u0085", "\u200b", "\u2028", "\u2029", "\ufeff", "\u3000",
  "é", "\u0430", "\x1b", "\x7f", "\b", "\x01", "@(a)", "+(a)", "%", "-", "--", " - ", ".", " . ", ":", ",", "/", "0", "2", "\n", "\n\n", " ", "  ",
  "; ;", "| |", "&& ;", "; |", "if ", "then ", "do ", "done", "fi", "esac", "in ", "time ", "coproc ", "noglob ", "nocorrect ", "function ", "- ",
  "x=1 ", "x= ", "export ", "typeset ", "command ", "builtin ", "exec ", "eval ", "! ", "{ ", " }", "repeat 2 ", "foreach ", "end", "k() ", "alias ",
]; // prettier-ignore
