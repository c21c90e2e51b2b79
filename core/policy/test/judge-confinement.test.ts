import type { Confinement, Isolation, PermissionMode, Rule, RuleVerdict, SandboxSettings } from "@capstan/protocol";
import { noSandbox } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { judge } from "../src/judge/judge.ts";
import { type Command, commandAction, policy, rules, situation, type Under } from "./situations.ts";

const enforced: Isolation = { type: "enforced" };
const box = { type: "sandbox", workspace: "build", hosts: [], writable: [] } as const;
const writing = { confinement: { ...box, workspace: "write" } } as const;
const healthy: SandboxSettings = { isolation: enforced, autoRun: true, withoutIsolation: "refuse", hosts: [] };

interface Where extends Under {
  readonly sandbox?: Partial<SandboxSettings>;
  readonly confinement?: Confinement;
}

function verdict(
  command: Command,
  { sandbox, confinement = box, mode = "default", ...under }: Where = {},
): RuleVerdict {
  const action = commandAction(command);
  const confined = { ...action, command: { ...action.command, confinement } };
  return judge(confined, { ...situation(policy(under), mode), sandbox: { ...healthy, ...sandbox } }).verdict;
}

const absent = { confinement: { type: "none" } } as const;
const nowhere: Isolation = { type: "none", reason: "bubblewrap is not installed" };
const interactive = { ...absent, sandbox: { isolation: nowhere, withoutIsolation: "ask" } } as const;
const headless = { ...absent, sandbox: { isolation: nowhere, withoutIsolation: "refuse-unless-reported" } } as const;
const refusing = { ...absent, sandbox: { isolation: nowhere, withoutIsolation: "refuse" } } as const;
const asking = { sandbox: { autoRun: false } } as const;
const safe = "ls src";
const other = "npm test";
const opaque = "for f in *; do echo $f > x; done";

describe("the decision table", () => {
  test.each<[string, Where, readonly RuleVerdict[]]>([
    ["sandbox healthy, unasked", {}, ["allow", "allow", "allow"]],
    ["sandbox healthy, mode auto", { mode: "auto", ...asking }, ["allow", "allow", "allow"]],
    ["sandbox healthy, asking", asking, ["allow", "ask", "ask"]],
    ["strict", { approval: "strict" }, ["deny", "deny", "deny"]],
    ["no sandbox, interactive", interactive, ["allow", "ask", "ask"]],
    ["no sandbox, interactive, mode auto", { ...interactive, mode: "auto" }, ["allow", "ask", "ask"]],
    ["no sandbox, headless", headless, ["deny", "deny", "deny"]],
    ["no sandbox, headless, --yolo", { ...headless, yolo: true }, ["allow", "allow", "allow"]],
    ["no sandbox, refused by configuration, --yolo", { ...refusing, yolo: true }, ["deny", "deny", "deny"]],
    // What changes the workspace: `default` asks, but for what is known to read; `accept-edits` and `auto` do not.
    ["it changes the workspace", writing, ["allow", "ask", "ask"]],
    ["it changes the workspace, permissive", { ...writing, approval: "permissive" }, ["allow", "allow", "allow"]],
    ["it changes the workspace, accept-edits", { ...writing, mode: "accept-edits" }, ["allow", "allow", "allow"]],
    [
      "it changes the workspace, auto and strict",
      { ...writing, mode: "auto", approval: "strict" },
      ["allow", "allow", "allow"],
    ],
    ["it changes the workspace, plan", { ...writing, mode: "plan" }, ["deny", "deny", "deny"]],
  ])("%s: known to read, plain, not understood", (_, where, row) => {
    expect([safe, other, opaque].map((command) => verdict(command, where))).toEqual(row);
  });

  test("a rule that allows a plain command holds wherever it would have been asked about, and nowhere else", () => {
    const allowed = { rules: rules("allow Bash(npm test)") };
    const places: readonly Where[] = [{}, asking, { approval: "strict" }, interactive, headless];
    expect(places.map((place) => verdict(other, { ...place, ...allowed }))).toEqual([
      "allow",
      "allow",
      "allow",
      "allow",
      "deny",
    ]);
  });

  test("a deny rule denies in every place, an ask rule asks in every place that is not denied", () => {
    const denied = { rules: rules("deny Bash(npm)") };
    const asked = { rules: rules("ask Bash(npm)") };
    for (const place of [{}, asking, interactive, { mode: "auto" }] satisfies readonly Where[]) {
      expect([verdict(other, { ...place, ...denied }), verdict(other, { ...place, ...asked })]).toEqual([
        "deny",
        "ask",
      ]);
    }
  });
});

/** A command that asks for these hosts. */
function wanting(...hosts: readonly string[]): Where {
  return { confinement: { ...box, hosts } };
}

function rule(verdictOf: RuleVerdict, host: string): Rule {
  return { verdict: verdictOf, tool: "run_command", host, source: "user", text: host };
}

describe("what a command wants beyond its box", () => {
  test("hosts that nobody opened are asked about, by name; those that are open are not", () => {
    expect(verdict(other, wanting("registry.npmjs.org"))).toBe("ask");
    expect(verdict(other, { ...wanting("registry.npmjs.org"), sandbox: { hosts: ["*.npmjs.org"] } })).toBe("allow");
    expect(verdict(other, { ...wanting("evil-npmjs.org"), sandbox: { hosts: ["*.npmjs.org"] } })).toBe("ask");
    expect(verdict(other, { ...wanting("npmjs.org"), sandbox: { hosts: ["*.npmjs.org"] } })).toBe("ask");
    expect(verdict(other, { ...wanting("a.org:22"), sandbox: { hosts: ["a.org"] } })).toBe("ask");
    expect(verdict(other, { ...wanting("a.org:22"), sandbox: { hosts: ["a.org:22"] } })).toBe("allow");
    expect(verdict(other, { ...wanting("a.org", "b.org"), sandbox: { hosts: ["a.org"] } })).toBe("ask");
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "169.254.169.254",
    "10.0.0.1:80",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "intranet",
  ])("a wildcard means public names: %s must stand literally in the user's own configuration", (host) => {
    const open = (pattern: string): string => verdict(other, { ...wanting(host), sandbox: { hosts: [pattern] } });
    const allow = (pattern: string): string => verdict(other, { ...wanting(host), rules: [rule("allow", pattern)] });
    expect([open("*"), allow("*"), open(host)]).toEqual(["ask", "ask", "allow"]);
    const closed = { ...wanting(host), rules: [rule("deny", "*")] };
    expect(verdict(other, closed)).toBe("deny");
    expect(verdict(other, { ...wanting("registry.npmjs.org"), sandbox: { hosts: ["*"] } })).toBe("allow");
  });

  test("rules about hosts open, ask about and close them, whatever their order", () => {
    const wanted = wanting("a.org");
    expect(verdict(other, { ...wanted, rules: [rule("allow", "a.org")] })).toBe("allow");
    expect(verdict(other, { ...wanted, rules: [rule("allow", "a.org"), rule("ask", "*")] })).toBe("ask");
    expect(verdict(other, { ...wanted, rules: [rule("deny", "A.ORG."), rule("allow", "a.org")] })).toBe("deny");
    expect(verdict(other, { rules: [rule("allow", "a.org")], ...asking })).toBe("ask");
  });

  test("paths outside the workspace are asked about, and no rule about the command answers that", () => {
    const where: Where = { confinement: { ...box, writable: ["/home/me/.cache"] } };
    expect(verdict(other, { ...where, rules: rules("allow Bash") })).toBe("ask");
  });

  test.each<PermissionMode>(["default", "accept-edits", "auto"])(
    "running outside the sandbox is asked about in mode %s, whatever is allowed, and never grows into a grant",
    (mode) => {
      const confinement: Confinement = { type: "none", asked: "the sandbox broke" };
      expect(verdict(safe, { confinement, mode, rules: rules("allow Bash") })).toBe("ask");
      expect(verdict(safe, { confinement, mode, approval: "strict", rules: rules("allow Bash") })).toBe(
        mode === "auto" ? "ask" : "deny",
      );
    },
  );
});

describe("plan mode", () => {
  const readOnly: Confinement = { ...box, workspace: "read" };

  test("runs anything in a sandbox that lets it read only, and nothing elsewhere", () => {
    for (const command of [safe, other, opaque]) {
      expect(verdict(command, { mode: "plan", confinement: readOnly })).toBe("allow");
      expect(verdict(command, { mode: "plan", confinement: box, yolo: true, rules: rules("allow *") })).toBe("deny");
      expect(verdict(command, { mode: "plan", ...interactive, yolo: true, rules: rules("allow *") })).toBe("deny");
      expect(verdict(command, { mode: "plan", confinement: { ...readOnly, hosts: ["a.org"] } })).toBe("deny");
    }
  });

  test("a sandbox that is not whole is none", () => {
    const isolation: Isolation = { type: "partial", lacks: ["network"] };
    expect(verdict(safe, { mode: "plan", confinement: readOnly, sandbox: { isolation } })).toBe("deny");
  });
});

test("whoever is asked where nothing keeps the command apart is warned each time", () => {
  const action = commandAction(other);
  const warned = judge(action, { ...situation(policy()), sandbox: { ...noSandbox, withoutIsolation: "ask" } });
  expect(warned.warnings).toEqual(["NO SANDBOX: a test has none. It would run with all your rights."]);
});

describe("in plan mode, where the sandbox is whole", () => {
  const reading = { mode: "plan", confinement: { ...box, workspace: "read" } } as const;
  const denied = { ...reading, rules: rules("deny Bash(npm test)", "deny read_file(**/.env)") };

  test("a command runs that no rule denies", () => {
    expect(verdict(other, reading)).toBe("allow");
  });

  test.each<[string, Command]>([
    ["by its name", other],
    ["in a list", `ls; ${other}`],
    ["inside another", `echo "$(${other})"`],
    ["by a path that no tool may read", "cat .env"],
  ])("a command that a deny rule matches is denied: %s", (_how, command) => {
    expect(verdict(command, denied)).toBe("deny");
  });
});

describe("under strict approval", () => {
  const allowed = { approval: "strict", rules: rules("allow Bash(npm test)") } as const;
  const beyond: readonly Confinement[] = [
    { ...box, hosts: ["example.com"] },
    { ...box, writable: ["/elsewhere"] },
  ];

  test.each(beyond)(
    "what an allowed command wants beyond its box is denied, and not asked about: %j",
    (confinement) => {
      expect(verdict(other, allowed)).toBe("allow");
      expect(verdict(other, { ...allowed, confinement })).toBe("deny");
      expect(verdict(other, { ...allowed, approval: "default", confinement })).toBe("ask");
    },
  );
});

describe("without a sandbox, when nobody can be asked", () => {
  test("words of the command line count for exactly what they name; rules from elsewhere do not", () => {
    const given = (...texts: readonly string[]): Where => ({
      ...headless,
      rules: rules(...texts).map((each) => ({ ...each, source: "flag" })),
    });
    expect(verdict("npm test", given("allow Bash(npm test)"))).toBe("allow");
    expect(verdict("cd src && npm test", given("allow Bash(npm test)"))).toBe("deny");
    expect(verdict("npm test && npm publish", given("allow Bash(npm test)"))).toBe("deny");
    expect(verdict("npm publish", given("allow Bash(npm test)"))).toBe("deny");
    expect(verdict("npm test", given("allow Bash(npm test)", "deny Bash(npm)"))).toBe("deny");
    expect(verdict("npm test", { ...headless, rules: rules("allow Bash(npm test)") })).toBe("deny");
    expect(verdict("npm test", { ...given("allow Bash(npm test)"), sandbox: refusing.sandbox })).toBe("deny");
    expect(verdict("npm test", { ...given("allow Bash(npm test)"), mode: "plan" })).toBe("deny");
  });

  test("the refusal ends with the words that would let exactly this command run", () => {
    const action = commandAction("npm test");
    const bare = { ...action, command: { ...action.command, confinement: { type: "none" } as const } };
    const { reason } = judge(bare, {
      ...situation(policy({}), "default"),
      sandbox: { ...healthy, ...headless.sandbox },
    });
    expect(reason).toMatch(
      /starts Capstan with `--allow 'run_command\(npm test\)'`, or for every command with `--yolo`\.$/,
    );
    const odd = commandAction(opaque);
    const unnamed = { ...odd, command: { ...odd.command, confinement: { type: "none" } as const } };
    const whole = judge(unnamed, { ...situation(policy({}), "default"), sandbox: { ...healthy, ...headless.sandbox } });
    expect(whole.reason).toMatch(/the user starts Capstan with `--yolo`\.$/);
  });
});
