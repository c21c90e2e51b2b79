import { judge, parseRule } from "@capstan/policy";
import type { Rule, RuleVerdict } from "@capstan/protocol";
import { action } from "@capstan/testkit";
import { decidedRules, decisionsPerRound, rounds } from "../limits.ts";
import { median } from "../median.ts";

/** CPU milliseconds of one decision. */
function measure(): number {
  const rules = manyRules();
  const workspace = { cwd: "/work/app", roots: ["/work/app"] };
  const sandbox = { isolation: { type: "enforced" }, autoRun: true, withoutIsolation: "ask", hosts: [] } as const;
  const policy = { approval: "default", rules, yolo: false } as const;
  const situation = { policy, mode: "default", workspace, sandbox, frontend: "cli", now: 1 } as const;
  const calls = commands.map((script) =>
    action(
      "run_command",
      { command: script },
      {
        effect: "execute",
        paths: [],
        command: {
          form: { type: "script", script, shell: "/bin/bash" },
          cwd: workspace.cwd,
          timeoutMs: 1000,
          confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [] },
          scripts: [],
          nested: [],
        },
      },
    ),
  );
  const samples = Array.from({ length: rounds.deciding }, () => {
    const start = process.cpuUsage();
    for (let count = 0; count < decisionsPerRound; count += 1) {
      const call = calls[count % calls.length];
      if (call !== undefined) judge(call, situation);
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / decisionsPerRound;
  });
  return median(samples);
}

const commands: readonly string[] = [
  "npm test",
  "ls -la src",
  "git status && git diff --stat",
  "grep -rn 'TODO' src/parts",
  "cat package.json | head -20",
  "node scripts/build.mjs --watch false",
  "for f in src/*.ts; do echo $f; done",
];

const kinds: readonly ((index: number) => readonly [RuleVerdict, string])[] = [
  (index) => ["allow", `run_command(tool-${index} run *)`],
  (index) => ["deny", `run_command(danger-${index})`],
  (index) => ["ask", `run_command(git part-${index}:*)`],
  (index) => ["deny", `Read(secrets/${index}/**)`],
  (index) => ["deny", `Edit(generated-${index}/**)`],
  (index) => ["deny", `run_command(regex:\\bdrop-${index}\\s+table\\b)`],
  (index) => ["allow", `Edit(src/part-${index}/**)`],
  (index) => ["ask", `mcp__server-${index}__send`],
];

function manyRules(): readonly Rule[] {
  return Array.from({ length: decidedRules }, (_, index) => {
    const [verdict, text] = kinds[index % kinds.length]?.(index) ?? ["deny", "*"];
    const rule = parseRule(text, verdict, "user");
    if ("problem" in rule) throw new Error(rule.problem);
    return rule;
  });
}

// Bundled and started by `measure-deciding.ts`.
process.stdout.write(`${measure()}\n`);
