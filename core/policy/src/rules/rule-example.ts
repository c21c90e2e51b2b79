import type { PathUse, Rule } from "@capstan/protocol";
import { ruleApplies, speaksOfHost } from "./rule-applies.ts";
import { isWriter, matchesTool, patternKind, toolsWithPattern } from "./tool-names.ts";
import type { JudgedAction } from "../situation.ts";

/**
 * Whether a rule matches an example that was written beside it: a command for rules about commands, a path for rules with a
 * path, a host for rules with a host, else a tool's name. Paths are taken from the top of a workspace.
 */
export function matchesExample(rule: Rule, example: string): boolean {
  if (rule.host !== undefined)
    return patternKind(rule.tool) === "host"
      ? ruleApplies(rule, addressExample(rule.tool, example), workspace)
      : speaksOfHost(rule, anyToolOf(rule, [...toolsWithPattern("command"), ...toolsWithPattern("path")]), example);
  const isCommand = rule.command !== undefined || patternKind(rule.tool) === "command";
  if (isCommand) return ruleApplies(rule, commandExample(example), workspace);
  if (rule.path !== undefined) return ruleApplies(rule, pathExample(rule, example), workspace);
  return matchesTool(rule.tool, example);
}

const workspace = { cwd: "/workspace", roots: ["/workspace"] };

function addressExample(named: string, example: string): JudgedAction {
  const tool = toolsWithPattern("host").find((known) => matchesTool(named, known)) ?? named;
  const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/.exec(example) ?? [];
  return { tool, effect: "read", risk: "medium", paths: [], network: { host, path: path === "" ? "/" : path } };
}

function anyToolOf(rule: Rule, tools: readonly string[]): string {
  return tools.find((tool) => matchesTool(rule.tool, tool)) ?? rule.tool;
}

function commandExample(script: string): JudgedAction {
  return {
    tool: "run_command",
    effect: "execute",
    risk: "high",
    paths: [],
    command: {
      form: { type: "script", script, shell: "/bin/sh" },
      cwd: workspace.cwd,
      timeoutMs: 1000,
      confinement: { type: "none" },
      scripts: [],
      nested: [],
    },
  };
}

function pathExample(rule: Rule, path: string): JudgedAction {
  const tool = anyToolOf(rule, toolsWithPattern("path"));
  const access: PathUse["access"] = isWriter(tool) ? "write" : "read";
  const shown = path.startsWith(`${workspace.cwd}/`)
    ? path.slice(workspace.cwd.length + 1)
    : path.replace(/^(?:\.\/)+/, "");
  const real = shown.startsWith("/") ? shown : `${workspace.cwd}/${shown}`;
  const risk = access === "read" ? "low" : "medium";
  return { tool, effect: access === "read" ? "read" : "write", risk, paths: [{ real, shown, access }] };
}
