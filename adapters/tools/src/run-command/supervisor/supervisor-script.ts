import { runVariable } from "../processes/run-mark.ts";

/**
 * The supervisor, for any POSIX shell: it reads which runs there are from its standard input, and when that ends, Capstan has
 * ended, in whatever way. What is then still registered is killed, groups and marked processes, until three looks in a row
 * find nothing; a process in the middle of `exec` carries no mark for a moment.
 *
 * It needs `grep` to look for marks quickly; without one that can search binary files the shell reads them itself, slowly.
 * `sleep` only paces the looks. Without /proc it ends the groups it knows, and no more.
 *
 * Lines: `run ID` (about to start), `run ID GROUP` (started), `end ID`.
 */
export const supervisorScript: string = String.raw`
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
trap '' HUP INT QUIT TERM TSTP
runs=
while read -r act id group; do
  kept=
  for run in $runs; do
    case $run in
      "$id":*) ;;
      *) kept="$kept $run" ;;
    esac
  done
  runs=$kept
  if [ "$act" = run ]; then runs="$runs $id:$group"; fi
done
if [ -z "$runs" ]; then exit 0; fi

marks=
for run in $runs; do marks="$marks -e ${runVariable}=${"${run%%:*}"}"; done
if [ "$(printf 'a\000b\n' | grep -caF b)" = 1 ]; then
  find_marked() { grep -laF $marks /proc/[0-9]*/environ; }
else
  find_marked() {
    for file in /proc/[0-9]*/environ; do
      while read -r line || [ -n "$line" ]; do
        for run in $runs; do
          case $line in
            *"${runVariable}=${"${run%%:*}"}"*) echo "$file"; break 2 ;;
          esac
        done
      done < "$file"
    done
  }
fi 2>/dev/null

looks=0
quiet=0
while [ "$looks" -lt 100 ] && [ "$quiet" -lt 3 ]; do
  looks=$((looks + 1))
  quiet=$((quiet + 1))
  for run in $runs; do
    group=${"${run#*:}"}
    if [ -n "$group" ]; then kill -s KILL -- "-$group"; fi
  done
  for file in $(find_marked); do
    pid=${"${file#/proc/}"}
    if kill -s KILL "${"${pid%/environ}"}"; then quiet=0; fi
  done
  sleep 0.05 || sleep 1
done 2>/dev/null
exit 0
`;
