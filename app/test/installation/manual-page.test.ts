import { expect, test } from "vitest";
import { runWords } from "../run-words.ts";

test("the manual page names every command and flag that help shows, and nothing in it is an order to roff", async () => {
  const { code, stdout, stderr } = await runWords(["manual"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const page = stdout.replaceAll("\\-", "-");
  for (const command of [
    "run [prompt...]",
    "sessions undo <id>",
    "policy grants revoke <ids...>",
    "completion <shell>",
  ])
    expect(page).toContain(`.SS capstan ${command}`);
  for (const flag of ["-m, --model <provider/id>", "-v, --version", "--dangerously-skip-permissions"])
    expect(page).toContain(`.B ${flag}`);
  const orders = page.split("\n").filter((line) => /^[.']/.test(line));
  expect(orders.filter((line) => !/^\.(?:TH|SH|SS|TP|B|I|br)(?: |$)/.test(line))).toEqual([]);
});

test("it says what the exit codes mean, as help does", async () => {
  const { stdout } = await runWords(["manual"]);
  expect(stdout).toMatch(/\.B 7\nParked until somebody answers/);
});
