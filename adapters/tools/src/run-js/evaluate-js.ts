import variant from "@jitl/quickjs-singlefile-mjs-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import type { JsOutcome, JsRequest } from "./js-outcome.ts";
import { maxJsJobs, maxJsOutputLength, runJsMemoryBytes, runJsStackBytes } from "./limits.ts";

export async function loadEngine(): Promise<QuickJSWASMModule> {
  return await newQuickJSWASMModuleFromVariant(variant);
}

/** Runs code in an engine that knows nothing but the language and `console.log`. It is used once: what an error left in it is nobody's. */
export function evaluateJs(engine: QuickJSWASMModule, { code, limitMs }: JsRequest): JsOutcome {
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(runJsMemoryBytes);
  runtime.setMaxStackSize(runJsStackBytes);
  const context = runtime.newContext();
  const printed = new Printed();
  const show = showIn(context);
  printWith(context, show, printed);
  const endsAt = performance.now() + limitMs;
  runtime.setInterruptHandler(() => performance.now() > endsAt);
  const failed = (error: QuickJSHandle): JsOutcome => failureOf(context.dump(error), printed.text, limitMs);
  try {
    const result = context.evalCode(code, "code.js");
    if (result.error !== undefined) return failed(result.error);
    const jobs = runtime.executePendingJobs(maxJsJobs);
    if (jobs.error !== undefined) return failed(jobs.error);
    const end = context.getPromiseState(result.value);
    if (end.type === "rejected") return failed(end.error);
    if (end.type === "pending") {
      const message = "its value is a promise that nothing will fulfil: there are no timers and no events";
      return { type: "RUNTIME_ERROR", printed: printed.text, message };
    }
    const shown = show(end.value);
    if (typeof shown !== "string") return failed(shown);
    const value = printed.fitting(shown);
    return { type: "value", printed: printed.text, value, isCut: printed.isCut };
  } catch (error) {
    const message = error instanceof RangeError ? "it calls itself without end" : String(error);
    return { type: error instanceof RangeError ? "RUNTIME_ERROR" : "INTERNAL", printed: printed.text, message };
  }
}

/** What the code has printed, within the limit. */
class Printed {
  text = "";
  isCut = false;

  add(line: string): void {
    this.text += this.fitting(`${line}\n`);
  }

  fitting(text: string): string {
    const room = maxJsOutputLength - this.text.length;
    if (text.length > room) this.isCut = true;
    return text.slice(0, room);
  }
}

/** In the engine, and made before the code runs, which changes nothing of it. Longer words are cut there. */
const showing = `((stringify, text, slice) => (value) => {
  const whole = () => {
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null) {
      if (value instanceof Error) return text(value);
      try { return stringify(value, (_, part) => (typeof part === "bigint" ? text(part) + "n" : part), 1) ?? text(value); } catch { return text(value); }
    }
    return text(value);
  };
  return slice.call(whole(), 0, ${maxJsOutputLength + 1});
})(JSON.stringify, String, String.prototype.slice)`;

/** @returns a value as words; a handle: what it threw */
type Show = (value: QuickJSHandle) => string | QuickJSHandle;

function showIn(context: QuickJSContext): Show {
  const shower = context.unwrapResult(context.evalCode(showing));
  return (value) => {
    const result = context.callFunction(shower, context.undefined, value);
    return result.error ?? context.getString(result.value);
  };
}

function printWith(context: QuickJSContext, show: Show, printed: Printed): void {
  const print = context.newFunction("log", (...words) => {
    const shown: string[] = [];
    for (const word of printed.isCut ? [] : words) {
      const text = show(word);
      // What it threw continues: the end of the time is among it.
      if (typeof text !== "string") return { error: text };
      shown.push(text);
    }
    printed.add(shown.join(" "));
    return undefined;
  });
  const names = context.newObject();
  for (const name of ["log", "info", "warn", "error", "debug"]) context.setProp(names, name, print);
  context.setProp(context.global, "console", names);
}

function failureOf(error: unknown, printed: string, limitMs: number): JsOutcome {
  const { name, message, stack } = readError(error);
  if (name === "InternalError" && message === "interrupted")
    return { type: "TIMEOUT", printed, message: `it ran longer than ${limitMs} ms` };
  if (name === "InternalError" && message === "out of memory")
    return { type: "OOM", printed, message: `it took more than ${runJsMemoryBytes} bytes of memory` };
  return { type: "RUNTIME_ERROR", printed, message: [`${name}: ${message}`, stack].join("\n").trim() };
}

/** What is thrown need be no error. */
function readError(error: unknown): { readonly name: string; readonly message: string; readonly stack: string } {
  if (typeof error !== "object" || error === null) return { name: "thrown", message: String(error), stack: "" };
  const part = (key: string): string => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === "string" ? value.slice(0, maxJsOutputLength) : "";
  };
  return { name: part("name") || "thrown", message: part("message") || JSON.stringify(error), stack: part("stack") };
}
