import { expect, test } from "vitest";
import { cleanEnvironment, secretValues } from "../../src/environment/clean-environment.ts";

const plain = { PATH: "/usr/bin:/bin", HOME: "/home/me", LANG: "C", LC_ALL: "C", XDG_RUNTIME_DIR: "/run", CI: "1" };

test("what commands need is handed on, and nothing else", () => {
  expect(cleanEnvironment({ ...plain, MY_SETTING: "1", LD_PRELOAD: "/x.so", GONE: undefined }, [], [])).toEqual(plain);
});

test("secrets stay, by whatever name, even where a pattern hands them on", () => {
  const secrets = [
    "OPENAI_API_KEY",
    "ANTHROPIC_BASE_URL",
    "GITHUB_TOKEN",
    "TOKEN_OF_MINE",
    "db_password",
    "MYSQL_PASSWD",
    "CLIENT_SECRET_ID",
    "SSH_KEY_PATH",
    "AWS_PROFILE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "NPM_AUTH",
    "SESSION_COOKIE",
    "XDG_SECRET",
    "LC_TOKEN",
  ];
  const env = Object.fromEntries(secrets.map((name) => [name, "hidden"]));
  expect(cleanEnvironment({ ...plain, ...env }, [], [])).toEqual(plain);
  expect(cleanEnvironment({ ...plain, ...env }, ["*"], [])).toEqual(plain);
});

test("a name that the user writes out is handed on, secret or not; what they deny is not", () => {
  const env = { ...plain, GITHUB_TOKEN: "t", GITHUB_USER: "u" };
  expect(cleanEnvironment(env, ["GITHUB_TOKEN"], [])).toEqual({ ...plain, GITHUB_TOKEN: "t" });
  expect(cleanEnvironment(env, ["GITHUB_*"], [])).toEqual({ ...plain, GITHUB_USER: "u" });
  expect(cleanEnvironment(env, ["GITHUB_TOKEN"], ["*TOKEN"])).toEqual(plain);
  expect(cleanEnvironment(env, [], ["HOME", "LC_*"])).toEqual({
    PATH: plain.PATH,
    LANG: "C",
    XDG_RUNTIME_DIR: "/run",
    CI: "1",
  });
});

test("relative entries of the search path go: a workspace must not decide which program a name means", () => {
  expect(pathOf(".:/usr/bin::bin:/bin:./node_modules/.bin:")).toEqual({ PATH: "/usr/bin:/bin" });
  expect(pathOf(".")).toEqual({ PATH: "" });
});

test("values of secret names are known for redaction; paths of key files are not", () => {
  const env = {
    HOME: "/home/me",
    GITHUB_TOKEN: "t1",
    MY_KEY: "k1",
    KEY_FILE: "x",
    SSH_KEY: "/home/me/key",
    TLS_KEY: "~/key",
    OTHER_KEY: "./key",
    GONE_KEY: undefined,
    PASSWORD: "p1",
  };
  expect(secretValues(env)).toEqual(["t1", "k1", "p1"]);
});

test("passwords of addresses are known, whatever the variable is called", () => {
  const env = {
    HTTPS_PROXY: "http://me:p%40ss-word@proxy:8080",
    DATABASE_URL: "postgres://app:hunter22@db/x",
    HOMEPAGE: "https://x.org:80/@a",
  };
  expect(secretValues(env)).toEqual(["p%40ss-word", "p@ss-word", "hunter22"]);
});

test("what changes how programs start is not handed on, unless it is named", () => {
  const env = { ...plain, NODE_OPTIONS: "--require /tmp/x.js" };
  expect(cleanEnvironment(env, ["*"], [])).toEqual(plain);
  expect(cleanEnvironment(env, ["NODE_OPTIONS"], [])).toEqual(env);
});

function pathOf(PATH: string): unknown {
  return cleanEnvironment({ PATH }, [], []);
}
