import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkInstallation } from "../../src/doctor/check-installation.ts";
import type { Check } from "@capstan/protocol";
import { key, newPlace, type Place } from "../host-place.ts";
import { patient } from "../../../doctor/test/damaged-place.ts";

const path = { PATH: process.env["PATH"] };

function checked({ home, settings }: Place, env: Readonly<Record<string, string>> = {}): Promise<readonly Check[]> {
  return checkInstallation({ ...path, CAPSTAN_HOME: home, ...env }, () => settings(env));
}

function of(checks: readonly Check[], name: string): Check | undefined {
  return checks.find((check) => check.name === name);
}

test("a good installation is found good, and the key is shown nowhere", async () => {
  const checks = await checked(newPlace(), { ANTHROPIC_API_KEY: key });
  expect(checks.filter((check) => check.verdict === "bad")).toEqual([]);
  expect(of(checks, "keys")?.text).toContain("anthropic");
  expect(JSON.stringify(checks)).not.toContain(key);
});

test("without any key it says how to set one", async () => {
  expect(of(await checked(newPlace()), "keys")).toMatchObject({
    verdict: "bad",
    advice: expect.stringContaining("_API_KEY"),
  });
});

test("a configuration that is wrong is named with its place, and everything else is still looked at", async () => {
  const place = newPlace();
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "config.toml"), "[tools]\nnonsense = 1\n", { mode: 0o600 });
  const checks = await checked(place);
  expect(of(checks, "configuration")).toMatchObject({ verdict: "bad", text: expect.stringContaining("nonsense") });
  expect(of(checks, "database")).toBeDefined();
});

test("a program that is not there is reported, with what it is for", async () => {
  const place = newPlace();
  const env = { CAPSTAN_HOME: place.home, PATH: join(place.home, "programs") };
  const checks = await checkInstallation(env, () => place.settings());
  expect(of(checks, "git")).toMatchObject({ verdict: "bad", advice: expect.stringContaining("Install git") });
});

test("no program of the workspace is started to see whether it is there", async () => {
  const place = newPlace();
  const marker = join(place.workspace, "started");
  for (const name of ["git", "bwrap", "rg"]) {
    writeFileSync(join(place.workspace, name), `#!/bin/sh\ntouch ${marker}\necho ${name} version 9\n`, { mode: 0o755 });
  }
  const PATH = `${place.workspace}:${process.env["PATH"] ?? ""}`;
  const checks = await checkInstallation({ CAPSTAN_HOME: place.home, PATH }, () => place.settings({ PATH }));
  expect([of(checks, "git")?.verdict, existsSync(marker)]).toEqual(["good", false]);
});

test("a data directory that others may read is reported, with the command that fixes it", async () => {
  const place = newPlace();
  mkdirSync(place.home, { mode: 0o700 });
  chmodSync(place.home, 0o755);
  const privacy = of(await checked(place), "privacy");
  expect(privacy).toMatchObject({ verdict: "bad", advice: `Run: chmod go-rwx '${place.home}'` });
});

test("a file in it that cannot be looked at is named with what to do, and everything else is still looked at", async () => {
  const place = newPlace();
  mkdirSync(place.home, { mode: 0o700 });
  symlinkSync("checkpoints", join(place.home, "checkpoints"));
  const named = (await checked(place)).find(({ text }) => text.includes("ELOOP"));
  expect(named).toMatchObject({
    name: "data directory",
    verdict: "bad",
    text: expect.stringContaining("/checkpoints"),
  });
  execFileSync("/bin/sh", ["-c", named?.advice?.replace(/^Move it away: /, "") ?? ""]);
  const again = await checked(place);
  expect(again.filter(({ name, verdict }) => name === "data directory" && verdict === "bad")).toEqual([]);
  expect(of(again, "database")).toBeDefined();
});

test("a data directory that cannot be one is reported", async () => {
  const place = newPlace();
  writeFileSync(place.home, "in the way");
  const checks = await checked(place);
  const inTheWay = { verdict: "bad", advice: expect.stringContaining("set CAPSTAN_HOME") };
  expect(of(checks, "data directory")).toMatchObject(inTheWay);
  // That it could not be tried does not mean that it is missing.
  expect(of(checks, "sandbox")).toMatchObject(inTheWay);
});

test("a database that is none, and one of a newer version, are reported", async () => {
  const place = newPlace();
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "capstan.db"), "this is no database, whatever its name says".repeat(200), {
    mode: 0o600,
  });
  expect(of(await checked(place), "database")).toMatchObject({ verdict: "bad" });
  const { data, store, tamper } = await patient();
  await store.close();
  tamper("PRAGMA user_version = 9999");
  const newer = await checkInstallation({ ...path, CAPSTAN_HOME: data.root }, () => place.settings());
  expect(of(newer, "database")).toBeDefined();
});
