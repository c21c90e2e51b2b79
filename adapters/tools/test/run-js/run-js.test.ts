import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { evaluateJs, loadEngine } from "../../src/run-js/evaluate-js.ts";
import type { JsOutcome } from "../../src/run-js/js-outcome.ts";
import { runJs } from "../../src/run-js/run-js.ts";

const never = new AbortController().signal;
const engine = await loadEngine();
const evaluate = (code: string, limitMs = 2000): JsOutcome => evaluateJs(engine, { code, limitMs });

test.each([
  ["6 * 7", "42"],
  ['"a" + "b"', "ab"],
  ["({ list: [1, 2n], at: new Date(0) })", '{\n "list": [\n  1,\n  "2n"\n ],\n "at": "1970-01-01T00:00:00.000Z"\n}'],
  ["const o = {}; o.o = o; o", "[object Object]"],
  ["undefined", "undefined"],
  ["(() => 1)", "() => 1"],
  ["Promise.resolve(3).then((x) => x * 2)", "6"],
  ["(async () => { let n = 0; for (let i = 0; i < 5; i += 1) n += await i; return n; })()", "10"],
  ["JSON.stringify = String.prototype.slice = () => 'mine'; [1]", "[\n 1\n]"],
])("the value of %s is shown as %s", (code, value) => {
  expect(evaluate(code)).toEqual({ type: "value", printed: "", value, isCut: false });
});

test("what is printed comes before the value, and also before an error", () => {
  expect(evaluate("console.log('a', { b: 1 }); console.error(2); 3")).toMatchObject({
    printed: 'a {\n "b": 1\n}\n2\n',
    value: "3",
  });
  expect(evaluate("console.log('before'); null.x")).toMatchObject({
    type: "RUNTIME_ERROR",
    printed: "before\n",
    message: expect.stringContaining("TypeError: cannot read property 'x' of null"),
  });
});

test.each([
  ["while (true);", "TIMEOUT"],
  ["try { while (true); } catch { 1 } finally { 2 }", "TIMEOUT"],
  ["(async () => { while (true) await 0; })()", "TIMEOUT"],
  ["/^(a+)+$/.test('a'.repeat(60) + 'b')", "TIMEOUT"],
  ["({ toJSON() { while (true); } })", "TIMEOUT"],
  ["while (true) console.log('flood')", "TIMEOUT"],
  ["while (true) { try { console.log('flood'); } catch {} }", "TIMEOUT"],
  ["'x'.repeat(2 ** 29)", "OOM"],
  ["new ArrayBuffer(2 ** 30)", "OOM"],
  ["(function f() { f(); })()", "RUNTIME_ERROR"],
  ["const f = () => [f()]; f()", "RUNTIME_ERROR"],
  ["new Promise(() => {})", "RUNTIME_ERROR"],
  ["import('node:fs')", "RUNTIME_ERROR"],
  ["require('node:fs')", "RUNTIME_ERROR"],
  ["const = 1", "RUNTIME_ERROR"],
  ["throw { toString() { throw 1; } }", "RUNTIME_ERROR"],
  ["throw null", "RUNTIME_ERROR"],
] as const)("%s ends with %s", (code, type) => {
  expect(evaluate(code, 100)).toMatchObject({ type, message: expect.stringMatching(/./) });
});

slowTest("a memory bomb that the engine itself does not end is ended from outside", async () => {
  const code = "const all = []; while (true) all.push('x'.repeat(1e6) + all.length);";
  const outcome = await runJs({ code, limitMs: 100 }, never);
  expect(outcome).toMatchObject({ message: expect.stringMatching(/memory|100 ms/) });
  expect(outcome.type).toMatch(/^(?:OOM|TIMEOUT)$/);
});

test("code finds nothing of this process", () => {
  const names = [
    "process",
    "require",
    "fetch",
    "Buffer",
    "setTimeout",
    "WebAssembly",
    "XMLHttpRequest",
    "std",
    "os",
    "Deno",
  ];
  expect(evaluate(`[${names.map((name) => `typeof ${name}`).join()}].join()`)).toMatchObject({
    value: names.map(() => "undefined").join(),
  });
  const escape = "console.log.constructor('return this')() === globalThis && Object.keys(globalThis).join()";
  expect(evaluate(escape)).toMatchObject({ value: "console" });
});

test("more output than a result holds is cut, and that is said", () => {
  for (const code of ["'x'.repeat(30_000)", "for (let i = 0; i < 9000; i += 1) console.log('line', i); 1"]) {
    const outcome = evaluate(code);
    expect(outcome).toMatchObject({ type: "value", isCut: true });
    expect(outcome.printed.length + ("value" in outcome ? outcome.value.length : 0)).toBe(20_000);
  }
});

test("two calls at once run in threads of their own, know nothing of one another, and leave none behind", async () => {
  const code = "globalThis.n = (globalThis.n ?? 0) + 1; n";
  const bomb = runJs({ code: "while (true);", limitMs: 50 }, never);
  const outcomes = await Promise.all(
    [code, code].map(async (each) => await runJs({ code: each, limitMs: 2000 }, never)),
  );
  for (const outcome of outcomes) expect(outcome).toMatchObject({ type: "value", value: "1" });
  expect(await bomb).toMatchObject({ type: "TIMEOUT" });
  expect(process.getActiveResourcesInfo()).not.toContain("Worker");
});

test("a call that is cancelled ends, and its thread with it", async () => {
  const cancel = new AbortController();
  const running = runJs({ code: "while (true);", limitMs: 600_000 }, cancel.signal);
  cancel.abort(new Error("cancelled"));
  await expect(running).rejects.toThrow("cancelled");
});

slowTest("this process answers while code runs", async () => {
  let isOver = false;
  const running = runJs({ code: "while (true);", limitMs: 1000 }, never).finally(() => {
    isOver = true;
  });
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  expect(await running).toMatchObject({ type: "TIMEOUT" });
  expect(turns).toBeGreaterThan(1000);
});
