import type { Rule, RuleSource, RuleVerdict } from "@capstan/protocol";
import { compileCommandPattern } from "./command-pattern.ts";
import { problemOfAddress, problemOfHost } from "./host-pattern.ts";
import { compilePathPattern } from "./path-pattern.ts";
import { quoteText } from "../quote-for-people.ts";
import { patternKind } from "./tool-names.ts";

/**
 * Reads one rule as people write it: `run_command(npm test)`, `Bash(git log:*)`, `Read(./.env)`, `Edit(src/**)`,
 * `WebFetch(domain:example.org)`,
 * `mcp__server__tool`, `run_command`, `*`.
 * @returns the rule, or what is wrong with it and what is expected
 */
export function parseRule(text: string, verdict: RuleVerdict, source: RuleSource): Rule | { readonly problem: string } {
  const written = text.trim();
  const [, tool, pattern] = /^([^()\s]+)(?:\(([^]*)\))?$/.exec(written) ?? [];
  if (tool === undefined) {
    return {
      problem: `write a rule as \`tool\` or \`tool(pattern)\`, as in \`run_command(npm test)\`, not ${quoteText(written)}`,
    };
  }
  const rule = withPattern({ verdict, tool, source, text: written }, pattern?.trim());
  if ("problem" in rule) return rule;
  const problem = problemOfRule(rule);
  return problem === undefined ? rule : { problem: `${problem} (in ${quoteText(written)})` };
}

/** What is wrong with a rule that came as fields (TOML); `undefined`: nothing. */
export function problemOfRule(
  rule: Pick<Rule, "tool" | "command" | "path"> & Partial<Pick<Rule, "verdict" | "host" | "origin" | "locked">>,
): string | undefined {
  if (!/^[A-Za-z0-9_.*-]+$/.test(rule.tool))
    return `${quoteText(rule.tool)} is no tool name; use letters, digits, \`_\` or \`*\``;
  return problemOfCommand(rule) ?? problemOfPathField(rule) ?? problemOfHostField(rule) ?? problemOfLock(rule);
}

/** What a rule about a host may say beside it, and whether the host is one. */
function problemOfHostField({ tool, host, command, path, origin }: Partial<Rule>): string | undefined {
  if (origin !== undefined && !/^[A-Za-z0-9_.-]+$/.test(origin))
    return `${quoteText(origin)} is no origin; write the name of a frontend, as in \`cli\``;
  if (host === undefined) return undefined;
  if (command !== undefined || path !== undefined) return "a rule has either a host, or a command or path";
  if (tool !== undefined && patternKind(tool) === "path") return `${quoteText(tool)} reaches no host`;
  return tool !== undefined && patternKind(tool) === "host" ? problemOfAddress(host) : problemOfHost(host);
}

function problemOfLock({ verdict, locked }: Partial<Rule>): string | undefined {
  return locked === true && verdict === "allow" ? "only `ask` and `deny` can be locked" : undefined;
}

type Bare = Pick<Rule, "verdict" | "tool" | "source" | "text">;

function withPattern(rule: Bare, pattern: string | undefined): Rule | { readonly problem: string } {
  if (pattern === undefined) return rule;
  const kind = patternKind(rule.tool);
  // Other agents write `Tool(*)` for the tool as such.
  if (pattern === "*" && (kind !== "none" || rule.tool === "*")) return rule;
  switch (kind) {
    case "command":
      return { ...rule, command: pattern };
    case "path":
      return { ...rule, path: pattern };
    case "host":
      return { ...rule, host: pattern.replace(/^domain:/, "") };
    case "none":
      return {
        problem: `${quoteText(rule.tool)} takes no pattern; patterns are for commands (\`run_command(npm test)\`), files (\`edit_file(src/**)\`) and hosts (\`web_fetch(example.org)\`)`,
      };
  }
}

function problemOfCommand({ tool, command }: Pick<Rule, "tool" | "command">): string | undefined {
  if (command === undefined) return undefined;
  const kind = patternKind(tool);
  if (kind === "path" || kind === "host") return `${quoteText(tool)} runs no command; write \`${kind}\``;
  if (hasControl(command)) return "the pattern holds control characters";
  const pattern = compileCommandPattern(command);
  return "problem" in pattern ? pattern.problem : undefined;
}

function problemOfPathField({ tool, path }: Pick<Rule, "tool" | "path">): string | undefined {
  if (path === undefined) return undefined;
  if (patternKind(tool) === "host") return `${quoteText(tool)} touches no file; write \`host\``;
  if (hasControl(path)) return "the pattern holds control characters";
  const pattern = compilePathPattern(path);
  return "problem" in pattern ? pattern.problem : undefined;
}

function hasControl(text: string): boolean {
  // A whole script may have line breaks and tabs.
  return /\p{Cc}/u.test(text.replace(/[\n\t]/g, ""));
}
