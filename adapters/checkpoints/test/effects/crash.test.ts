import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { reversed, Workshop } from "../workshop.ts";

const program = join(import.meta.dirname, "crash-process.ts");

function start(shop: Workshop, work: object): ChildProcess {
  const words = ["--conditions=source", "--import", "tsx", program, shop.store];
  const text = JSON.stringify({ workspace: shop.workspace, ...work });
  return spawn(process.execPath, [...words, text], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Kills the process so long after it has begun its work. @returns whether that was before the end */
async function killAfter(child: ChildProcess, waitMs: number): Promise<boolean> {
  const closed = once(child, "close");
  if (child.stdout === null) throw new Error("no output");
  const [text] = await once(child.stdout, "data");
  await delay(waitMs);
  child.kill("SIGKILL");
  await closed;
  return !String(text).includes("ended") && child.signalCode === "SIGKILL";
}

test("a process killed anywhere in `apply` leaves every file whole, old or new, and the same call again finishes it", async () => {
  const shop = new Workshop();
  const count = 150;
  for (let number = 0; number < count; number += 1)
    shop.write(`f${number % 7}/n${number}`, `old ${number}\n`.repeat(300));
  const before = shop.files();
  const checkpoint = await shop.keep();
  for (let number = 0; number < count; number += 1) {
    if (number % 3 === 0) shop.remove(`f${number % 7}/n${number}`);
    else shop.write(`f${number % 7}/n${number}`, `new ${number}\n`.repeat(200), 0o755);
    shop.write(`made/${number}/x`, `made ${number}`);
  }
  const after = shop.files();
  let effects = reversed(await shop.since(checkpoint));
  let [from, to] = [after, before];
  let killed = 0;
  for (const waitMs of [2, 10, 25, 40, 60, 90]) {
    if (await killAfter(start(shop, { effects }), waitMs)) killed += 1;
    const torn = Object.entries(shop.files()).filter(
      ([path, file]) => !path.includes(".capstan-apply-") && file !== from[path] && file !== to[path],
    );
    expect(torn).toEqual([]);
    expect(new Set(await shop.apply(effects))).toEqual(new Set(["done"]));
    // Folders that no effect touches any more may hold leftovers of the kill; the next call in them sweeps.
    expect(shop.files()).toEqual(to);
    effects = reversed(effects);
    [from, to] = [to, from];
  }
  expect(killed).toBeGreaterThan(0);
});

test("a process killed anywhere in `keep` leaves a store in which the next one keeps everything", async () => {
  const shop = new Workshop();
  for (let number = 0; number < 400; number += 1) shop.write(`f${number % 9}/n${number}`, `${number}\n`.repeat(3000));
  const before = shop.files();
  let killed = 0;
  for (const waitMs of [1, 15, 40, 80, 120])
    if (await killAfter(start(shop, { scope: "everything" }), waitMs)) killed += 1;
  const checkpoint = await shop.keep();
  for (let number = 0; number < 400; number += 1) shop.remove(`f${number % 9}/n${number}`);
  const effects = await shop.since(checkpoint);
  expect(new Set(await shop.apply(reversed(effects)))).toEqual(new Set(["done"]));
  expect(shop.files()).toEqual(before);
  expect(killed).toBeGreaterThan(0);
});

test("processes that keep the same tree at the same time do not disturb each other", async () => {
  const shop = new Workshop();
  for (let number = 0; number < 200; number += 1) shop.write(`f${number % 9}/n${number}`, `${number}\n`.repeat(100));
  const children = [1, 2, 3].map(() => start(shop, { scope: "everything" }));
  const [own] = await Promise.all([shop.keep(), ...children.map(async (child) => await once(child, "close"))]);
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  shop.reopen();
  expect(await shop.keep()).toEqual(own);
  expect(shop.git("fsck", "--full", "--strict", "--no-dangling").trim()).toBe("");
});
