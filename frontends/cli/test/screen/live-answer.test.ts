import { expect, test } from "vitest";
import { liveAnswer } from "../../src/screen/live-answer.ts";

async function onScreen(columns?: number) {
  const written: string[] = [];
  const answer = await liveAnswer({ isTerminal: true, columns, write: (text) => void written.push(text) }, false);
  return { answer, text: () => written.join("") };
}

test("a block is drawn when it is whole, the last one with the answer's end, and the next answer begins from the start", async () => {
  const { answer, text } = await onScreen(20);
  answer.push("One **bold** ");
  expect(text()).toBe("");
  answer.push("word.\n\nSecond\n");
  expect(text()).toBe("One bold word.\n");
  answer.complete("One **bold** word.\n\nSecond");
  expect(text()).toBe("One bold word.\n\nSecond\n");
  answer.complete("# Short");
  expect(text()).toBe("One bold word.\n\nSecond\n# Short\n");
});

test("what is shown in its midst stands on a line of its own, and nothing is shown twice", async () => {
  for (const columns of [20, undefined]) {
    const { answer, text } = await onScreen(columns);
    answer.push("half");
    answer.interrupt();
    answer.complete("half");
    expect(text()).toBe("half\n");
  }
});

test("where the width is not known the text stands as it is", async () => {
  const { answer, text } = await onScreen();
  answer.push("a **b**");
  answer.complete("a **b**");
  expect(text()).toBe("a **b**\n");
});
