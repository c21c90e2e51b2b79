import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, toSessionId, ToolRefusal } from "@capstan/protocol";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { spillFolder } from "../../src/paths/spill-folder.ts";
import { WorkspacePaths } from "../../src/paths/workspace-paths.ts";
import { workspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";

type Access = "read" | "write" | "delete";

const reader = { sessionId: toSessionId("mine") };

async function answer(fixture: WorkspaceFixture, requested: string, access: Access = "read"): Promise<string> {
  try {
    const resolved = await fixture.paths.resolve(fixture.workspace, requested, access, reader);
    return `${resolved.kind} ${resolved.shown}`;
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    return `${error.code} (${error.kind})`;
  }
}

/** Asks in a workspace where `link` leads to `target`; `BASE` in it is the directory around the workspace. */
async function answerThroughLink(target: string, requested: string, access: Access = "read"): Promise<string> {
  const fixture = populated();
  symlinkSync(target.replace("BASE", fixture.base), join(fixture.workspace.cwd, "link"));
  return await answer(fixture, requested, access);
}

function populated(): WorkspaceFixture {
  const fixture = workspaceFixture();
  fixture.write("src/a.ts", "a");
  fixture.write("src/deep/b.ts", "b");
  mkdirSync(join(fixture.base, "ws_evil"));
  writeFileSync(join(fixture.base, "ws_evil/secret"), "secret");
  return fixture;
}

test("a path inside is resolved to its real place and shown relative to the working directory", async () => {
  const fixture = populated();
  const root = fixture.workspace.cwd;
  const { identity, ...resolved } = await fixture.paths.resolve(fixture.workspace, "./src//deep/../a.ts", "read");
  expect(identity).toMatch(/^\d+:\d+$/);
  expect(resolved).toEqual({
    root,
    relative: "src/a.ts",
    real: join(root, "src/a.ts"),
    shown: "src/a.ts",
    kind: "file",
    access: "read",
  });
});

test("the working directory itself is a directory with an empty relative path", async () => {
  const fixture = populated();
  const resolved = await fixture.paths.resolve(fixture.workspace, ".", "read");
  expect([resolved.relative, resolved.shown, resolved.kind]).toEqual(["", ".", "directory"]);
});

describe("forms that mean different things to different readers are refused", () => {
  const refused: readonly string[] = [
    "",
    " src/a.ts",
    "src/a.ts ",
    "src/a.ts.",
    "src./a.ts",
    "src/a.ts\0",
    "src/a.ts\n",
    "src/\u001b[31ma.ts",
    "src/\u202etxt.a",
    "src/\u2066a",
    "src/\ud800",
    "~",
    "~/x",
    "~root/x",
    "file:///etc/passwd",
    "file:x",
    "https://example.org/a",
    "//server/share/a",
    "\\\\server\\share",
    "..\\x",
    "C:\\x",
    "C:/x",
    "x:y",
    "src/a.ts::$DATA",
    "a".repeat(256),
    "a/".repeat(3000),
  ];
  test.each(refused.map((path) => [JSON.stringify(path).slice(0, 60), path]))("%s", async (_name, path) => {
    expect(await answer(populated(), path, "write")).toBe("path.invalid (rejected)");
  });
});

describe("what lies outside is refused, whether it exists or not", () => {
  const outside: readonly string[] = [
    "..",
    "../ws_evil/secret",
    "../nothing/here",
    "src/../../ws_evil/secret",
    "/etc/passwd",
    "/etc/nothing",
    "/",
    "/proc/self/cwd/src/a.ts",
    "/proc/1/root",
    "/dev/fd/0",
    "/dev/zero",
    "../../../../../../../../etc/passwd",
  ];
  test.each(outside)("%s", async (path) => {
    const fixture = populated();
    expect(await answer(fixture, path)).toBe("path.outside (denied)");
    expect(await answer(fixture, path, "write")).toBe("path.outside (denied)");
  });

  test("an absolute neighbour whose name begins with the root's", async () => {
    const fixture = populated();
    expect(await answer(fixture, `${fixture.workspace.cwd}_evil/secret`)).toBe("path.outside (denied)");
  });
});

describe("symbolic links", () => {
  const cases: readonly (readonly [target: string, requested: string, expected: string])[] = [
    ["src/a.ts", "link", "file src/a.ts"],
    ["src", "link/deep/b.ts", "file src/deep/b.ts"],
    ["src/../src/./deep", "link/b.ts", "file src/deep/b.ts"],
    ["BASE/ws/src", "link/a.ts", "file src/a.ts"],
    ["BASE/ws_evil/secret", "link", "path.outside (denied)"],
    ["../ws_evil", "link/secret", "path.outside (denied)"],
    ["../ws_evil", "link/new", "path.outside (denied)"],
    ["../ws_evil", "link", "path.outside (denied)"],
    ["nothing", "link", "path.outside (denied)"],
    ["nothing/new", "link", "path.outside (denied)"],
    ["../ws_evil/new", "link", "path.outside (denied)"],
    ["link", "link", "path.outside (denied)"],
    ["link", "link/a", "path.outside (denied)"],
    ["/proc/self/cwd", "link/a", "path.outside (denied)"],
    ["/proc/self/root/etc/passwd", "link", "path.outside (denied)"],
    ["/dev/fd/0", "link", "path.outside (denied)"],
    ["src/a.ts/x", "link", "path.not-a-file (rejected)"],
  ];
  test.each(cases)("-> %s, asked for %s: %s", async (target, requested, expected) => {
    expect(await answerThroughLink(target, requested)).toBe(expected);
    expect(await answerThroughLink(target, requested, "write")).toBe(expected);
  });

  test("a chain of 40 is followed, one of 41 is refused", async () => {
    const fixture = populated();
    symlinkSync("src/a.ts", join(fixture.workspace.cwd, "l1"));
    for (let index = 2; index <= 41; index += 1) symlinkSync(`l${index - 1}`, join(fixture.workspace.cwd, `l${index}`));
    expect(await answer(fixture, "l40")).toBe("file src/a.ts");
    expect(await answer(fixture, "l41")).toBe("path.outside (denied)");
  });

  test("a link through the kernel's files is refused even when it ends inside", async () => {
    const fixture = populated();
    symlinkSync(`/proc/self/root${fixture.workspace.cwd}/src/a.ts`, join(fixture.workspace.cwd, "link"));
    expect(await answer(fixture, "link")).toBe("path.outside (denied)");
  });

  test("a new file through a link to a directory inside lands in the real directory", async () => {
    expect(await answerThroughLink("src", "link/new.ts", "write")).toBe("missing src/new.ts");
  });

  test("a link to a name with control characters is refused", async () => {
    const fixture = populated();
    fixture.write("odd\nname", "x");
    symlinkSync("odd\nname", join(fixture.workspace.cwd, "link"));
    expect(await answer(fixture, "link")).toBe("path.invalid (rejected)");
  });
});

describe("protected paths", () => {
  const denied: readonly string[] = [
    ".env",
    "src/.env",
    ".env.local",
    ".ENV",
    "%2eenv",
    "src/%2Eenv",
    ".e\u200dnv",
    "\uff0eenv",
    ".env:stream",
    "./src/../.env",
    "src//.env",
    ".ssh",
    ".SSH/id",
    ".\u017fsh/id",
    ".git/config",
    "sub/.git/hooks/pre-commit",
    "key.pem",
    "KEY.PEM",
    "key.pem/below",
    "id_rsa",
    "keys/id_rsa.pub",
  ];
  test.each(denied)("%s is denied, there or not", async (path) => {
    const fixture = populated();
    expect(await answer(fixture, path)).toBe("path.denied (denied)");
    expect(await answer(fixture, path, "write")).toBe("path.denied (denied)");
  });

  test("by the real name, when asked for through an innocent link", async () => {
    const fixture = populated();
    fixture.write(".env", "SECRET=1");
    symlinkSync(".env", join(fixture.workspace.cwd, "notes.txt"));
    expect(await answer(fixture, "notes.txt")).toBe("path.denied (denied)");
  });

  test("by the requested name, when the link leads to an innocent file", async () => {
    const fixture = populated();
    symlinkSync("src/a.ts", join(fixture.workspace.cwd, ".env"));
    expect(await answer(fixture, ".env")).toBe("path.denied (denied)");
  });

  test("by another hard link of the same file", async () => {
    const fixture = populated();
    linkSync(fixture.write("conf/.env", "SECRET=1"), join(fixture.workspace.cwd, "notes.txt"));
    linkSync(join(fixture.workspace.cwd, "src/a.ts"), join(fixture.workspace.cwd, "same.ts"));
    expect(await answer(fixture, "notes.txt")).toBe("path.denied (denied)");
    expect(await answer(fixture, "same.ts")).toBe("file same.ts");
  });

  test("in composed and decomposed spelling", async () => {
    const fixture = workspaceFixture({ deniedPatterns: ["**/gehe\u0301im/**"] });
    expect(await answer(fixture, "geh\u00e9im/x", "write")).toBe("path.denied (denied)");
    expect(await answer(fixture, "GEHE\u0301IM/x", "write")).toBe("path.denied (denied)");
  });

  test("names that merely resemble them are allowed", async () => {
    const fixture = populated();
    const allowed = [".environment", "env", "src/my.env.ts", ".gitignore", ".github/workflows/ci.yml", "pem", "a…b"];
    const answers = await Promise.all(allowed.map((path) => answer(fixture, path, "write")));
    expect(answers).toEqual(allowed.map((path) => `missing ${path}`));
  });

  test("beneath a directory whose name holds a line break", () => {
    const fixture = populated();
    expect(fixture.paths.isDenied(fixture.workspace, join(fixture.workspace.cwd, "odd\nname/.env"))).toBe(true);
  });

  test("a directory above the workspace is not judged by itself", async () => {
    const fixture = workspaceFixture({ deniedPatterns: ["**/ws"] });
    expect(await answer(fixture, "a", "write")).toBe("missing a");
    expect(await answer(fixture, "ws/a", "write")).toBe("path.denied (denied)");
  });
});

describe("things that are not regular files", () => {
  test("a pipe is refused at once", async () => {
    const fixture = populated();
    execFileSync("mkfifo", [join(fixture.workspace.cwd, "pipe")]);
    expect(await answer(fixture, "pipe")).toBe("path.not-a-file (rejected)");
    expect(await answer(fixture, "pipe", "write")).toBe("path.not-a-file (rejected)");
  });

  test("a file used as a directory, and a file with a slash at its end", async () => {
    const fixture = populated();
    expect(await answer(fixture, "src/a.ts/x", "write")).toBe("path.not-a-file (rejected)");
    expect(await answer(fixture, "src/a.ts/")).toBe("path.not-a-file (rejected)");
    expect(await answer(fixture, "new/", "write")).toBe("path.invalid (rejected)");
  });
});

test("a missing file is answered with its similar neighbours", async () => {
  const fixture = populated();
  for (const name of ["main.ts", "main.jsx", "other.md"]) fixture.write(name, "");
  const refusal: unknown = await fixture.paths
    .resolve(fixture.workspace, "main.js", "read")
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(String(refusal)).toBe('ToolRefusal: "main.js" does not exist. Similar: "main.jsx", "main.ts".');
});

test("of many similar neighbours the three that are most alike are named", async () => {
  const fixture = populated();
  for (const name of ["maim.ts", "main.tsx", "main.mts", "main.cts", "mainly.ts"]) fixture.write(name, "");
  const refusal: unknown = await fixture.paths
    .resolve(fixture.workspace, "main.ts", "read")
    .catch((error: unknown) => error);
  expect(String(refusal)).toBe('ToolRefusal: "main.ts" does not exist. Similar: "main.cts", "main.mts", "main.tsx".');
});

test("absolute paths can be switched off, except for the output of commands", async () => {
  const fixture = workspaceFixture({ allowAbsolute: false });
  const spilled = join(fixture.options.spillDirectory, "session-mine", "call-1.log");
  mkdirSync(dirname(spilled), { recursive: true });
  writeFileSync(spilled, "output");
  fixture.write("a.ts", "a");
  expect(await answer(fixture, join(fixture.workspace.cwd, "a.ts"))).toBe("path.outside (denied)");
  expect(await answer(fixture, spilled)).toBe(`file ${spilled}`);
});

test("output of commands can be read, not written, and links in it lead nowhere else", async () => {
  const fixture = populated();
  const directory = join(fixture.options.spillDirectory, "session-mine");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "call-1.log"), "output");
  symlinkSync("/etc/passwd", join(directory, "link"));
  expect(await answer(fixture, join(directory, "call-1.log"))).toBe(`file ${join(directory, "call-1.log")}`);
  expect(await answer(fixture, join(directory, "call-1.log"), "write")).toBe("path.denied (denied)");
  expect(await answer(fixture, join(directory, "new"), "write")).toBe("path.denied (denied)");
  expect(await answer(fixture, join(directory, "link"))).toBe("path.outside (denied)");
});

test("output of another session's commands can neither be read nor searched, nor that of none", async () => {
  const fixture = populated();
  const { spillDirectory } = fixture.options;
  for (const folder of ["session-mine", "session-other", "no-session"]) {
    mkdirSync(join(spillDirectory, folder), { recursive: true });
    writeFileSync(join(spillDirectory, folder, "call-1.log"), "output");
  }
  symlinkSync("../session-other/call-1.log", join(spillDirectory, "session-mine", "link"));
  const asked = [
    "session-mine/call-1.log",
    "session-other/call-1.log",
    "no-session/call-1.log",
    "session-mine/link",
    ".",
  ];
  const answers = await Promise.all(asked.map(async (path) => answer(fixture, join(spillDirectory, path))));
  const outside = "path.outside (denied)";
  const own = join(spillDirectory, "session-mine/call-1.log");
  expect(answers).toEqual([`file ${own}`, outside, outside, outside, outside]);
});

test("whatever an id holds, its folder is one plain name below the directory", () => {
  const names = ["a", "../x", "a/b", "", ".", "..", "x".repeat(65), "session-a"].map((id) =>
    spillFolder("/spill", { sessionId: toSessionId(id) }),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((path) => !/^\/spill\/session[-.][\w-]+$/.test(path))).toEqual([]);
  expect(spillFolder("/spill", { sessionId: null })).toBe("/spill/no-session");
});

test("a second root is shown by its absolute path and judged by the same rules", async () => {
  const fixture = populated();
  const second = join(fixture.base, "ws_evil");
  const workspace = { cwd: fixture.workspace.cwd, roots: [fixture.workspace.cwd, second] };
  const resolved = await fixture.paths.resolve(workspace, "../ws_evil/secret", "read");
  expect([resolved.root, resolved.relative, resolved.shown]).toEqual([second, "secret", join(second, "secret")]);
  await expect(fixture.paths.resolve(workspace, "../ws_evil/.env", "read")).rejects.toMatchObject({
    code: "path.denied",
  });
});

test("whatever is written, what is resolved lies inside a root and is not protected", async () => {
  const fixture = populated();
  const root = fixture.workspace.cwd;
  symlinkSync("..", join(root, "up"));
  symlinkSync("/", join(root, "top"));
  symlinkSync("src", join(root, "in"));
  symlinkSync(".env", join(root, "alias"));
  fixture.write(".env", "SECRET");
  const part = fc.oneof(
    fc.constantFrom(
      "..",
      ".",
      "",
      "src",
      "up",
      "top",
      "in",
      "alias",
      "ws",
      "ws_evil",
      "secret",
      "a.ts",
      ".env",
      "~",
      root,
      "%2e%2e",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 8 }),
      fc.constantFrom<Access>("read", "write"),
      async (parts, access) => {
        expect(await misplaced(fixture, parts.join("/"), access)).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
  expect(readFileSync(join(fixture.base, "ws_evil/secret"), "utf8")).toBe("secret");
});

test("rules without patterns protect nothing", () => {
  const paths = new WorkspacePaths({ deniedPatterns: [], allowAbsolute: true, spillDirectory: "/nowhere" });
  expect(paths.isDenied({ cwd: "/ws", roots: ["/ws"] }, "/ws/.env")).toBe(false);
});

/** What is wrong with the place a path was resolved to; nothing when it was refused. */
async function misplaced(fixture: WorkspaceFixture, requested: string, access: Access): Promise<readonly string[]> {
  const { paths, workspace } = fixture;
  try {
    const { real, root } = await paths.resolve(workspace, requested, access);
    return [
      ...(root === workspace.cwd && (real === root || real.startsWith(`${root}/`)) ? [] : [`outside: ${real}`]),
      ...(paths.isDenied(workspace, real) || basename(real) === ".env" ? [`protected: ${real}`] : []),
      ...(existsSync(real) && realpathSync(real) !== real ? [`not real: ${real}`] : []),
    ];
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    return [];
  }
}
