import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CodeCache } from "../../src/code-cache/code-cache.ts";
import { ScriptModules } from "../../src/code-cache/script-modules.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-scripts-"));
  script(
    "start.js",
    'const{word}=require("./word.js");exports.say=()=>word+require("node:path").sep;exports.later=()=>importScript("./later.js");exports.outside=()=>importScript("node:path");',
  );
  script("word.js", 'exports.word="one";');
  script("later.js", "exports.url=scriptUrl;");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function script(name: string, body: string): void {
  writeFileSync(join(folder, name), `(function({exports,require,module,importScript,scriptUrl}){${body}\n})\n`);
}

/** A cache that remembers what it was asked for. */
class Asked extends CodeCache {
  readonly names: string[] = [];

  override read(...asked: Parameters<CodeCache["read"]>): ReturnType<CodeCache["read"]> {
    this.names.push(asked[0]);
    return super.read(...asked);
  }
}

function modules(...further: readonly CodeCache[]): ScriptModules {
  return new ScriptModules(
    folder,
    { require: (name) => process.getBuiltinModule(name), import: (name) => import(name) },
    [new CodeCache(join(folder, "kept")), ...further],
  );
}

interface Start {
  readonly say: () => string;
  readonly later: () => Promise<{ readonly url: string }>;
  readonly outside: () => Promise<{ readonly sep: string }>;
}

function isStart(loaded: object): loaded is Start {
  return "say" in loaded && "later" in loaded;
}

function start(from: ScriptModules): Start {
  const loaded = from.load("start.js");
  if (!isStart(loaded)) throw new Error("start.js exports something else");
  return loaded;
}

/** Loads everything once and keeps its code. */
function keepAll(): void {
  const first = modules();
  start(first).say();
  new CodeCache(join(folder, "kept")).write(first.compiled(), () => true);
}

function keptFiles(): readonly string[] {
  return readdirSync(join(folder, "kept"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".code"))
    .map((path) => join(folder, "kept", path));
}

test("scripts require each other and Node's modules, are evaluated once, and import others later", async () => {
  const all = modules();
  expect(start(all).say()).toBe("one/");
  expect(start(all)).toBe(start(all));
  expect((await start(all).later()).url).toMatch(/^file:.*later\.js$/);
  expect((await start(all).outside()).sep).toBe("/");
});

test("the second start compiles nothing and does the same", () => {
  keepAll();
  const second = modules();
  expect(start(second).say()).toBe("one/");
  expect([...second.compiled().keys()]).toEqual([]);
});

test("what one cache has is not looked for in the next", () => {
  keepAll();
  const next = new Asked(join(folder, "next"));
  expect(start(modules(next)).say()).toBe("one/");
  expect(next.names).toEqual([]);
  script("word.js", 'exports.word="two";');
  expect(start(modules(next)).say()).toBe("two/");
  expect(next.names).toEqual(["word.js"]);
});

test("letters outside of ASCII are what they are", () => {
  script("word.js", 'exports.word="größer 漢字";');
  keepAll();
  expect(start(modules()).say()).toBe("größer 漢字/");
});

test("what was not kept is compiled and can be kept, too", async () => {
  keepAll();
  const second = modules();
  await start(second).later();
  expect([...second.compiled().keys()]).toEqual(["later.js"]);
});

test("code of another text of the same length is not used", () => {
  keepAll();
  script("word.js", 'exports.word="two";');
  const second = modules();
  expect(start(second).say()).toBe("two/");
  expect([...second.compiled().keys()]).toEqual(["word.js"]);
});

test("code that is damaged at any place, or cut, is not used", () => {
  keepAll();
  const [path = ""] = keptFiles().filter((file) => file.endsWith("word.js.code"));
  const whole = readFileSync(path);
  const damaged = [0, 31, 32, Math.floor(whole.length / 2), whole.length - 1].map((place) => {
    const copy = Buffer.from(whole);
    copy.writeUInt8(copy.readUInt8(place) ^ 1, place);
    return copy;
  });
  for (const bytes of [...damaged, whole.subarray(0, 40), whole.subarray(0, 10), Buffer.alloc(0)]) {
    writeFileSync(path, bytes);
    const second = modules();
    expect(start(second).say()).toBe("one/");
    expect([...second.compiled().keys()]).toEqual(["word.js"]);
  }
});

test("code that others could write is not used, and what is kept is its owner's alone", () => {
  keepAll();
  for (const path of keptFiles()) expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const path of keptFiles()) chmodSync(path, 0o620);
  const second = modules();
  start(second);
  expect([...second.compiled().keys()]).toEqual(["start.js", "word.js"]);
});

test("code of scripts that are gone is removed", () => {
  keepAll();
  const next = modules();
  start(next);
  new CodeCache(join(folder, "kept")).write(new Map(), (name) => name !== "word.js");
  expect(keptFiles().map((path) => path.slice(path.lastIndexOf("/") + 1))).toEqual(["start.js.code"]);
});

test("where nothing can be written, the next start compiles again", () => {
  writeFileSync(join(folder, "kept"), "a file");
  keepAll();
  const second = modules();
  expect(start(second).say()).toBe("one/");
});
