import type { PermissionMode, RuleVerdict, SandboxSettings } from "@capstan/protocol";
import { permissionModes } from "@capstan/protocol";
import { noSandbox } from "@capstan/testkit";
import { expect, test } from "vitest";
import { grantOffer, sessionOffer } from "../src/grant-offer.ts";
import { judge } from "../src/judge/judge.ts";
import { matchesExample } from "../src/rules/rule-example.ts";
import { parseRule } from "../src/rules/parse-rule.ts";
import { ruleApplies } from "../src/rules/rule-applies.ts";
import type { JudgedAction } from "../src/situation.ts";
import { policy, rules, situation, workspace } from "./situations.ts";

function fetchOf(host: string, path = "/", carries?: string): JudgedAction {
  const network = { host, path, ...(carries === undefined ? {} : { carries }) };
  return { tool: "web_fetch", effect: "read", risk: "medium", paths: [], network };
}

interface Under {
  readonly rules?: readonly string[];
  readonly mode?: PermissionMode;
  readonly hosts?: SandboxSettings["hosts"];
  readonly yolo?: boolean;
}

function verdict(
  action: JudgedAction,
  { rules: lines = [], mode = "default", hosts = [], yolo = false }: Under = {},
): RuleVerdict {
  const under = situation(policy({ rules: rules(...lines), yolo }), mode);
  return judge(action, { ...under, sandbox: { ...noSandbox, hosts } }).verdict;
}

test("a host that no rule opens is asked about in every mode; a rule for it answers", () => {
  for (const mode of permissionModes) {
    expect([mode, verdict(fetchOf("example.org"), { mode })]).toEqual([mode, "ask"]);
    const allowed = ["allow WebFetch(domain:example.org)"];
    expect([mode, verdict(fetchOf("example.org"), { mode, rules: allowed })]).toEqual([mode, "allow"]);
  }
  expect(verdict(fetchOf("example.org"), { yolo: true })).toBe("allow");
  expect(verdict(fetchOf("example.org"), { hosts: ["example.org"] })).toBe("allow");
});

test.each([
  [
    "web_fetch(example.org)",
    ["example.org", "EXAMPLE.org."],
    ["a.example.org", "example.org.evil.org", "example.org:8443", "xexample.org"],
  ],
  [
    "WebFetch(domain:*.example.org)",
    ["a.example.org", "a.b.example.org"],
    ["example.org", "aexample.org", "127.0.0.1"],
  ],
  ["web_fetch(example.org:8443)", ["example.org:8443"], ["example.org"]],
  ["fetch", ["example.org", "anything.net:8443"], []],
  ["web_fetch(*)", ["example.org", "anything.net:8443"], []],
])("allow %s", (rule, passing, asked) => {
  for (const host of passing)
    expect([host, verdict(fetchOf(host), { rules: [`allow ${rule}`] })]).toEqual([host, "allow"]);
  for (const host of asked) expect([host, verdict(fetchOf(host), { rules: [`allow ${rule}`] })]).toEqual([host, "ask"]);
});

test("a rule may end in the beginning of a path; one that servers read in two ways is not allowed by it, and is denied by it", () => {
  const allow = { rules: ["allow web_fetch(example.org/docs)"] };
  for (const path of ["/docs", "/docs/", "/docs/a"])
    expect([path, verdict(fetchOf("example.org", path), allow)]).toEqual([path, "allow"]);
  for (const path of ["/", "/docsx", "/Docs", "/docs/..%2fadmin", "/docs//x", "/docs/%2E%2e/x"])
    expect([path, verdict(fetchOf("example.org", path), allow)]).toEqual([path, "ask"]);
  const deny = { rules: ["allow web_fetch", "deny web_fetch(example.org/admin/)"] };
  expect(
    ["/admin/x", "/x", "/x%2fadmin", "//admin/"].map((path) => verdict(fetchOf("example.org", path), deny)),
  ).toEqual(["deny", "allow", "deny", "deny"]);
});

test("deny beats ask beats allow; a rule about another tool or a path says nothing", () => {
  const all = ["allow web_fetch(example.org)", "ask web_fetch(*.org)", "deny *(example.org)"];
  expect(verdict(fetchOf("example.org"), { rules: all.slice(0, 2) })).toBe("ask");
  expect(verdict(fetchOf("example.org"), { rules: ["allow web_fetch", "deny WebFetch(domain:example.org)"] })).toBe(
    "deny",
  );
  expect(verdict(fetchOf("example.org"), { rules: ["allow web_search(example.org)", "allow Read(**)"] })).toBe("ask");
});

test("N7: an address that may carry data away is asked about whatever rules allow, and denied as they say", () => {
  const carrying = fetchOf("example.org", "/", "the address sends more than 256 bytes");
  for (const mode of permissionModes) {
    expect(
      verdict(carrying, { mode, rules: ["allow web_fetch(example.org)", "allow web_fetch"], hosts: ["example.org"] }),
    ).toBe("ask");
  }
  expect(verdict(carrying, { rules: ["deny web_fetch(example.org)"] })).toBe("deny");
  expect([grantOffer(carrying, [], "/ws"), sessionOffer(carrying, [], "/ws")]).toEqual([undefined, undefined]);
});

test("an approval is remembered for the host", () => {
  const rule = {
    verdict: "allow",
    tool: "web_fetch",
    host: "example.org",
    source: "grant",
    text: "web_fetch(example.org)",
  };
  expect(grantOffer(fetchOf("example.org", "/a"), [], "/ws")).toEqual(rule);
  expect(sessionOffer(fetchOf("example.org", "/a"), [], "/ws")).toEqual({ what: "host", rule });
  expect(verdict(fetchOf("example.org", "/b"), { rules: [`allow ${rule.text}`] })).toBe("allow");
});

function problem(text: string): string | undefined {
  const rule = parseRule(text, "allow", "user");
  return "problem" in rule ? rule.problem : rule.host;
}

test("what a rule about hosts cannot mean is said", () => {
  expect(problem("WebFetch(domain:example.org)")).toBe("example.org");
  expect(problem("web_fetch(example.org/docs/)")).toBe("example.org/docs/");
  expect(problem("web_fetch(https://example.org)")).toMatch(/^write a host as/);
  expect(problem("web_fetch(example.org/docs/*)")).toMatch(/^write a path as it begins/);
  expect(problem("run_command(x)")).toBeUndefined();
});

test("examples beside a rule, and what rules speak of a call, follow the same words", () => {
  const [rule] = rules("allow web_fetch(example.org/docs)");
  if (rule === undefined) throw new Error("no rule");
  expect(matchesExample(rule, "https://example.org/docs/a?b")).toBe(true);
  expect(matchesExample(rule, "example.org")).toBe(false);
  expect(ruleApplies(rule, fetchOf("example.org", "/docs"), workspace)).toBe(true);
  expect(ruleApplies(rule, fetchOf("example.net", "/docs"), workspace)).toBe(false);
});
