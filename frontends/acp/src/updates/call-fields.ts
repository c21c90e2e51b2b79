import type { Action } from "@capstan/protocol";
import { type CallCell, type CallEnd, inertLine } from "@capstan/view";
import { titleCharacters } from "../limits.ts";
import { diffContent } from "./diff-content.ts";
import { shownInput, shownText } from "./shown-input.ts";
import { toolKind } from "./tool-kind.ts";
import { textContent, type ToolCallContent, type ToolCallFields, type ToolCallLocation } from "./update-types.ts";

/**
 * A call as an editor shows it.
 * @param action  what it will do, once that is known
 */
export function callFields(cell: CallCell, action: Action | undefined, cwd: string): ToolCallFields {
  const end = cell.state.type === "ended" ? cell.state.end : undefined;
  return {
    title: inertLine(cell.summary, titleCharacters),
    name: cell.tool,
    kind: toolKind(cell.tool, cell.effect, action),
    status: statusOf(cell),
    content: contentOf(cell, cwd),
    locations: action === undefined ? [] : locationsOf(action),
    rawInput: inputOf(cell, action),
    ...(end === undefined || isPlain(end) ? {} : { rawOutput: outputOf(end) }),
  };
}

function inputOf({ arguments: written }: CallCell, action: Action | undefined): unknown {
  if (action !== undefined) return shownInput(action.arguments);
  return written.type === "json" ? shownInput(written.value) : shownText(written.text);
}

/** There is nothing to say of it beyond its content. */
function isPlain({ outcome, exitCode }: CallEnd): boolean {
  return outcome === "done" && exitCode === undefined;
}

function outputOf(end: CallEnd): unknown {
  return {
    outcome: end.outcome,
    ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...(end.signal === undefined ? {} : { signal: end.signal }),
    ...(end.code === undefined ? {} : { code: end.code }),
  };
}

export function locationsOf({ paths }: Action): readonly ToolCallLocation[] {
  return [...new Set(paths.map(({ real }) => real))].map((path) => ({ path }));
}

function statusOf({ state }: CallCell): ToolCallFields["status"] {
  switch (state.type) {
    case "written":
    case "decided":
      return "pending";
    case "running":
    case "interrupted":
      return "in_progress";
    case "ended":
      return state.end.succeeded ? "completed" : "failed";
    case "unknown":
      return "failed";
  }
}

function contentOf({ state }: CallCell, cwd: string): readonly ToolCallContent[] {
  switch (state.type) {
    case "written":
    case "decided":
      return [];
    case "running":
      return text(state.output);
    case "interrupted":
      return text(state.text);
    case "ended":
      return [
        ...text(state.end.content),
        ...diffContent(state.end.changes, cwd),
        ...state.end.runsLater.map((path) => textContent(`it will run later: ${path}`)),
        ...state.end.quarantined.map((line) => textContent(line)),
      ];
    case "unknown":
      return text("It is not known how this call ended.");
  }
}

function text(words: string): readonly ToolCallContent[] {
  return words.trim() === "" ? [] : [textContent(shownText(words))];
}
