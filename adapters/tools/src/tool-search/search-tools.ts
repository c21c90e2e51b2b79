import { runInNewContext } from "node:vm";
import type { ToolContext } from "@capstan/ports";
import { type JsonObject, searchToolsName, type ToolDefinition, ToolRefusal } from "@capstan/protocol";
import { sessionTool } from "../session/session-tool.ts";
import type { ToolCode } from "../tool-entry.ts";
import { expressionMs, maxCandidates, maxFoundTools } from "./limits.ts";
import { rankTools } from "./rank-tools.ts";

/** Finds deferred tools. What it found is part of the action, so that the session has the same ones whenever its journal is read. */
export function createSearchToolsTool(deferred: readonly ToolDefinition[]): ToolCode {
  return sessionTool(searchToolsName, async (args, context) => {
    const query = typeof args["query"] === "string" ? args["query"].trim() : "";
    const fitting = findTools(query, args, usable(deferred, context));
    const found = fitting.slice(0, maxFoundTools).map(({ name }) => name);
    const more = Math.min(fitting.length, maxCandidates) - found.length;
    return await Promise.resolve({
      session: { type: "find-tools", query, found, more },
      summary: `Search tools: ${query} (${found.length} found)`,
    });
  });
}

/** In plan mode nobody wants what is not offered there. */
function usable(tools: readonly ToolDefinition[], { mode }: ToolContext): readonly ToolDefinition[] {
  return mode === "plan" ? tools.filter(({ offered }) => offered !== "not-plan") : tools;
}

function findTools(query: string, { regex }: JsonObject, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  if (regex === true) return matchingTools(query, tools);
  const named = new Set(query.split(/[\s,]+/).map((name) => name.toLowerCase().replace(/^select:/, "")));
  const exact = tools.filter(({ name }) => named.has(name.toLowerCase()));
  return [...exact, ...rankTools(query, tools).filter((tool) => !exact.includes(tool))];
}

/** @throws {ToolRefusal} `tool.bad-arguments` */
function matchingTools(source: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const texts = tools.map(({ name, description }) => `${name}\n${description}`);
  try {
    const script = "const one = new RegExp(source, 'i'); texts.map((text) => one.test(text)).join()";
    const found: unknown = runInNewContext(script, { source, texts }, { timeout: expressionMs });
    const fits = String(found).split(",");
    return tools.filter((_tool, at) => fits[at] === "true");
  } catch (error) {
    const text = `query must be a regular expression that ends within ${expressionMs} ms: ${String(error)}`;
    throw new ToolRefusal("rejected", "tool.bad-arguments", text, { cause: error });
  }
}
