import {
  type AssistantBlock,
  type JsonObject,
  type JsonValue,
  type ToolArguments,
  toToolCallId,
} from "@capstan/protocol";
import { limits } from "../limits.ts";
import { isTooDeep, textOf } from "../shared/json-fields.ts";
import { readToolArguments } from "../shared/stream/tool-arguments.ts";
import type { NamedCall } from "../shared/stream/tool-calls.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { StreamedArguments } from "./streamed-arguments.ts";

/**
 * A function call. Most come whole in one part. Where a server streams arguments, the first part names the function, parts
 * without a name bring values, and the first part without `willContinue` is the last.
 */
export class GoogleCall implements NamedCall {
  readonly type = "call";
  id: string;
  readonly name: string;
  readonly arguments: { text: string } = { text: "" };
  signature: string;
  private problem: string | undefined;
  private isOpen: boolean;
  private readonly streamed: StreamedArguments | undefined;

  constructor(value: JsonObject, signature: string) {
    this.id = textOf(value["id"]);
    this.name = textOf(value["name"]);
    this.signature = signature;
    this.isOpen = value["willContinue"] === true;
    if (isTooDeep(value)) {
      this.problem = `nested deeper than ${limits.jsonDepth} levels`;
      return;
    }
    if (value["args"] === undefined && (this.isOpen || value["partialArgs"] !== undefined)) {
      this.streamed = new StreamedArguments();
      this.streamed.add(value["partialArgs"]);
      if (!this.isOpen) this.settle();
    } else this.arguments.text = argumentsText(value["args"]);
  }

  /** True for a part that continues with this call; a part that names a function begins another. */
  continuesWith(value: JsonObject): boolean {
    const id = textOf(value["id"]);
    if (!this.isOpen || (id !== "" && this.id !== "" && id !== this.id)) return false;
    return textOf(value["name"]) === "" || (id !== "" && id === this.id);
  }

  /** Takes a part that continues with this call; returns the arguments once they are whole. */
  take(value: JsonObject, signature: string): string {
    this.signature ||= signature;
    this.id ||= textOf(value["id"]);
    this.streamed?.add(value["partialArgs"]);
    this.isOpen = value["willContinue"] === true;
    if (this.isOpen) return "";
    this.settle();
    return this.arguments.text;
  }

  toBlock(): AssistantBlock {
    return {
      type: "tool-call",
      callId: toToolCallId(wellFormed(this.id)),
      name: wellFormed(this.name),
      arguments: this.isOpen ? this.cutOff() : this.finished(),
      ...(this.signature === "" ? {} : { signature: this.signature }),
    };
  }

  private settle(): void {
    this.problem = this.streamed?.problem;
    this.arguments.text = this.problem === undefined ? wellFormed(this.streamed?.toJson() ?? "") : "";
  }

  private finished(): ToolArguments {
    if (this.problem === undefined) return readToolArguments(this.arguments.text);
    return { type: "malformed", text: "", problem: this.problem };
  }

  private cutOff(): ToolArguments {
    const text = (this.streamed?.toJson() ?? "").slice(0, limits.malformedChars);
    return { type: "malformed", text: wellFormed(text), problem: "the call was cut off before its end" };
  }
}

function argumentsText(args: JsonValue | undefined): string {
  // Some gateways hand the arguments on as the model wrote them.
  if (typeof args === "string") return wellFormed(args);
  return args === undefined || args === null ? "" : JSON.stringify(args);
}
