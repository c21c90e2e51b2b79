import { messageOf } from "@capstan/protocol";
import { type Attack, groups, type Outcome } from "./attack.ts";

/** What became of one attack. */
export interface Tried {
  readonly attack: Attack;
  readonly attempt: Outcome | { readonly result: "broken"; readonly evidence: string };
  readonly control: Outcome | { readonly result: "broken"; readonly evidence: string };
}

/** Whether the defence held, and would not have without itself. */
export function isProved({ attempt, control }: Tried): boolean {
  return attempt.result === "stopped" && control.result === "through";
}

/** Tries one attack after the other: they share the machine's clocks, ports and processes. */
export async function runSuite(attacks: readonly Attack[], onTried: (tried: Tried) => void): Promise<readonly Tried[]> {
  const all: Tried[] = [];
  for (const attack of attacks) {
    const tried = {
      attack,
      attempt: await tryOne(async () => attack.attempt()),
      control: await tryOne(async () => attack.control()),
    };
    all.push(tried);
    onTried(tried);
  }
  return all;
}

async function tryOne(work: () => Promise<Outcome>): Promise<Tried["attempt"]> {
  try {
    return await work();
  } catch (error) {
    return { result: "broken", evidence: messageOf(error).split("\n")[0] ?? "" };
  }
}

/** One line per group and one for all: tried, stopped, controls that got through. */
export function summaryLines(all: readonly Tried[]): readonly string[] {
  const line = (name: string, some: readonly Tried[]): string => {
    const held = some.filter(({ attempt }) => attempt.result === "stopped").length;
    const proved = some.filter(({ control }) => control.result === "through").length;
    const rows = new Set(some.map(({ attack }) => attack.row)).size;
    return `${name.padEnd(6)} ${String(some.length).padStart(5)} tried  ${String(held).padStart(5)} stopped  ${String(proved).padStart(5)} through without the defence  (${rows} rows)`;
  };
  const perGroup = groups.flatMap((group) => {
    const some = all.filter(({ attack }) => attack.row.startsWith(group));
    return some.length === 0 ? [] : [line(group, some)];
  });
  return [...perGroup, line("all", all)];
}
