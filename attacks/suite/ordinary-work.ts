import { judge } from "@capstan/policy";
import { defaultDeniedPatterns, type Rule } from "@capstan/protocol";
import { ordinaryCommands } from "../data/ordinary-commands.ts";
import { type FilePlace, inFilePlace } from "../stage/file-place.ts";

/** The least share of ordinary commands that must run without a question in an enforced sandbox. */
const leastUnasked = 0.95;

/** What every configuration begins with. */
const protectedFiles: readonly Rule[] = defaultDeniedPatterns.map((path) => ({
  verdict: "deny",
  tool: "read_file",
  path,
  protects: true,
  source: "built-in",
  text: `read_file(${path})`,
}));

export interface OrdinaryWork {
  readonly tried: number;
  /** Those a user would be asked about, or that would be denied. */
  readonly asked: readonly string[];
  readonly isProved: boolean;
}

/** C24: what stops attacks must let ordinary work through. The real preparation and judgement, with the real sandbox. */
export async function judgeOrdinaryWork(): Promise<OrdinaryWork> {
  const { reading, working } = ordinaryCommands();
  const all = [...reading, ...working];
  return await inFilePlace(
    async (place) => {
      const asked: string[] = [];
      for (const command of all) if (!(await runsUnasked(place, command))) asked.push(command);
      const share = (all.length - asked.length) / all.length;
      return { tried: all.length, asked, isProved: all.length >= 300 && share >= leastUnasked };
    },
    { confined: true },
  );
}

export function ordinaryLine({ tried, asked }: OrdinaryWork): string {
  const share = ((100 * (tried - asked.length)) / tried).toFixed(1);
  return `C24    ${String(tried).padStart(5)} ordinary commands, ${share} % run without a question in the sandbox`;
}

async function runsUnasked(place: FilePlace, command: string): Promise<boolean> {
  const prepared = await place.prepare("run_command", { command });
  if (prepared.type === "refused") return false;
  const { verdict } = judge(prepared.action, {
    policy: { approval: "default", rules: protectedFiles, yolo: false },
    mode: "default",
    workspace: { cwd: place.cwd, roots: [place.cwd] },
    sandbox: place.sandbox,
    frontend: "cli",
    now: 0,
  });
  return verdict === "allow";
}
