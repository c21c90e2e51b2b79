import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { messagesOf } from "../stage/read-request.ts";
import { edit, editing, nameServers, read } from "./languages-place.ts";

const place = usePlace();

const broken = "New errors in files that you changed, as typescript reports them:";
const error = "sum.ts:1:54: error 2322: Type 'string' is not assignable to type 'number'.";

function writeProject(): void {
  place.write("tsconfig.json", '{ "compilerOptions": { "strict": true } }\n');
  place.write("sum.ts", "export const sum = (a: number, b: number): number => a + b;\n");
}

const breaks = edit("sum.ts", "a + b", "String(a + b)");
const repairs = edit("sum.ts", "String(a + b)", "a + b");

test("a model breaks a type, learns it before its next step, and repairs it; also in the next process", async () => {
  writeProject();
  nameServers(place, "typescript");
  await place.trust();
  const turn = [
    { tool_calls: [read("sum.ts")] },
    { tool_calls: [breaks] },
    { tool_calls: [repairs] },
    { text: "done" },
  ];
  const stage = await place.rehearse("anthropic", [...turn, ...turn]);
  for (const round of [0, 1]) {
    const run = await stage.run([...editing, ...(round === 0 ? [] : ["-c"]), "go"]);
    expect(run.code).toBe(0);
    const requests = stage.exchanges.slice(4 * round).map((exchange) => JSON.stringify(messagesOf(exchange)));
    // Each round brings one notice, which stays in the conversation.
    const times = requests.map((text) => text.split(broken).length - 1);
    expect(times).toEqual([round, round, round + 1, round + 1]);
    expect(requests[2]).toContain(error);
  }
});

test("nothing is started where the folder is not trusted, and it is said why", async () => {
  writeProject();
  nameServers(place, "typescript");
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [read("sum.ts")] },
    { tool_calls: [breaks] },
    { text: "done" },
  ]);
  const run = await stage.run([...editing, "go"]);
  expect([run.code, JSON.stringify(stage.exchanges[2]?.body).includes(broken)]).toEqual([0, false]);
  expect(run.stderr).toContain(
    "no language server is started: they start in trusted folders only. Trust this one: capstan trust add",
  );
});

slowTest(
  "`capstan problems` lists them for people and machines, says what it cannot see, and ends with 1 where there are errors",
  async () => {
    writeProject();
    nameServers(place, "typescript");
    await place.trust();
    expect(await place.run(["problems", "sum.ts"])).toMatchObject({ code: 0, stdout: "0 errors in 1 file\n" });

    place.write("sum.ts", place.read("sum.ts").replace("a + b", "String(a + b)"));
    const listed = await place.run(["problems", "sum.ts", "tsconfig.json"]);
    expect([listed.code, listed.stdout]).toEqual([1, `${error}\n1 error in 1 file\n`]);
    expect(listed.stderr).toBe("capstan: no language server said anything about tsconfig.json\n");
    const { stdout } = await place.run(["problems", "--json", "sum.ts"]);
    expect(JSON.parse(stdout)).toMatchObject({
      file: "sum.ts",
      server: "typescript",
      line: 1,
      column: 54,
      severity: "error",
    });
  },
);

slowTest.each([
  [["problems", "none.ts"], 'there is no file "none.ts" here'],
  [["problems"], "this folder is no git repository, so that nothing says which files changed. Name the files"],
])("%j is a usage error that says what to do", async (args, words) => {
  nameServers(place, "typescript");
  await place.trust();
  const run = await place.run(args);
  expect([run.code, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain(words);
});
