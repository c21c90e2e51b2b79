import type { Task } from "./action.ts";

/** Lists of one session, and tasks of all of them: who needs more keeps files. The oldest lists are left out. */
const maxLists = 20;

/** The task lists when one of them, named or not, is given anew: the others stay as they are. The list that was given stands last. */
export function withTaskList(
  before: readonly Task[],
  list: string | undefined,
  given: readonly Task[],
): readonly Task[] {
  const others = before.filter((task) => task.list !== list);
  const names = [...new Set(others.map((task) => task.list))];
  const kept = new Set(names.slice(Math.max(0, names.length - (maxLists - 1))));
  return [...others.filter((task) => kept.has(task.list)), ...given];
}
