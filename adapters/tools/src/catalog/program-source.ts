import { inertText } from "../paths/inert-text.ts";
import type { ProgramTool, ProgramToolResult, Tool, ToolResult, ToolRunContext, ToolSource } from "@capstan/ports";
import { type Action, AppError, type JsonObject, messageOf } from "@capstan/protocol";
import { type ResultCheck, resultCheck } from "./check-result.ts";
import { maxCallSummaryLength } from "./limits.ts";

/**
 * The tools of the program that embeds the engine. They have no other names, no `probe` (after a crash a call that may have run is in
 * doubt) and no word about paths, so that nothing but their effect class and the rules about their name decides.
 * @param outputBytes  what one result may bring to the model
 * @param kind  `servers`: they are tools of servers that live in the program, and have names as such have
 * @throws {AppError} `usage.invalid` for a name that rules take for a server's tools, or a schema that describes no object
 */
export function programSource(
  tools: readonly ProgramTool[],
  outputBytes: number,
  kind: "own" | "servers" = "own",
): ToolSource {
  for (const { name, inputSchema } of tools) {
    if (name.startsWith("mcp__") !== (kind === "servers"))
      throw new AppError(
        "usage.invalid",
        kind === "own"
          ? `a program's tool cannot be called ${name}: "mcp__" stands for servers`
          : `the tool of a program's server cannot be called ${name}: it needs "mcp__" before the server's name`,
      );
    if (inputSchema["type"] !== "object")
      throw new AppError("usage.invalid", `the inputSchema of the tool ${name} must be a JSON Schema of type "object"`);
  }
  const adapted = tools.map((tool) => programTool(tool, outputBytes));
  return {
    label: kind === "own" ? "this program" : "a server of this program",
    tools: () => adapted,
    reservedNames: () => [],
    subscribe: () => () => undefined,
    close: async () => await Promise.resolve(),
  };
}

/** A tool of a program as one of a source. @param outputBytes  what one result may bring to the model */
export function programTool(tool: ProgramTool, outputBytes: number): Tool {
  const { name, description, effect } = tool;
  // Copies: what a model read and a user approved does not change with an object of the program.
  const inputSchema = structuredClone(tool.inputSchema);
  const check = tool.outputSchema === undefined ? undefined : resultCheck(name, tool.outputSchema);
  return {
    definition: { name, description, inputSchema, ...(effect === "read" ? {} : { offered: "not-plan" }) },
    aliases: [],
    effect,
    prepare: async (args) =>
      await Promise.resolve({
        tool: name,
        arguments: structuredClone(args),
        effect,
        risk: effect === "read" ? "low" : effect === "write" ? "medium" : "high",
        paths: [],
        summary: inertText(`${name} ${JSON.stringify(args)}`, maxCallSummaryLength),
      }),
    run: async (action, _staged, context) => cut(checked(await execute(tool, action, context), check), outputBytes),
  };
}

/** The words stay: they may say what was done. */
function checked(result: ToolResult, check: ResultCheck | undefined): ToolResult {
  const problem = check?.(result);
  if (problem === undefined) return result;
  return { ...result, status: "failed", code: "tool.bad-result", content: [problem, result.content].join("\n") };
}

async function execute(tool: ProgramTool, action: Action, context: ToolRunContext): Promise<ToolResult> {
  const { callId, workspace, signal } = context;
  signal.throwIfAborted();
  const report = (text: string): void => {
    if (!signal.aborted) context.onOutput("stdout", text);
  };
  const args: JsonObject = structuredClone(action.arguments);
  const stopped = rejectionOf(signal);
  try {
    // A program that does not look at its signal must not hold the session up.
    return toResult(await Promise.race([tool.execute(args, { callId, workspace, signal, report }), stopped.promise]));
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", code: "tool.failed", content: messageOf(error) };
  } finally {
    stopped.end();
  }
}

function rejectionOf(signal: AbortSignal): { readonly promise: Promise<never>; end(): void } {
  const over = new AbortController();
  const promise = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: over.signal });
  });
  return { promise, end: () => over.abort() };
}

function toResult(answer: string | ProgramToolResult): ToolResult {
  const { content, details, failed = false } = typeof answer === "string" ? { content: answer } : answer;
  const common = details === undefined ? { content } : { content, details };
  return failed ? { ...common, status: "failed", code: "tool.failed" } : { ...common, status: "ok" };
}

/** What is beyond the limit is left out, which is said. */
function cut(result: ToolResult, limitBytes: number): ToolResult {
  const bytes = Buffer.from(result.content);
  if (bytes.length <= limitBytes) return result;
  const kept = new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(bytes.subarray(0, limitBytes))
    .replace(/\ufffd$/, "");
  return { ...result, content: `${kept}\n[cut: ${bytes.length - limitBytes} more bytes]` };
}
