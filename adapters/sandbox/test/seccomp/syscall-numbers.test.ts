import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemCallsOf } from "../../src/seccomp/syscall-numbers.ts";

/** What the kernel's headers say, where they are installed: a number that is wrong would block another call. */
const headers: Readonly<Record<string, readonly string[]>> = {
  x64: ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"],
  arm64: ["/usr/include/asm-generic/unistd.h"],
};

test.for(Object.entries(headers))("the numbers of %s are the kernel's", ([processor, files], context) => {
  const file = files.find((path) => existsSync(path));
  context.skip(file === undefined, "the kernel's headers are not installed");
  const said = numbersIn(readFileSync(file ?? "", "utf8"));
  const known = Object.entries(systemCallsOf(processor)?.numbers ?? {}).filter(([name]) => said.has(name));
  expect(known.length).toBeGreaterThan(40);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(known.map(([name]) => [name, said.get(meant(name))])));
});

test("what the headers of an older system do not name has its number all the same", () => {
  const { numbers } = systemCallsOf("x64") ?? {};
  expect(numbers).toMatchObject({ open_tree_attr: 467, fchmodat2: 452 });
});

/** Our `exit` ends the process with all its threads. */
function meant(name: string): string {
  return name === "exit" ? "exit_group" : name;
}

function numbersIn(header: string): ReadonlyMap<string, number> {
  const lines = header.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)/gm);
  return new Map([...lines].map(([, name = "", number]) => [name, Number(number)]));
}
