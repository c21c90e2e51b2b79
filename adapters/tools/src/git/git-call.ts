import type { JsonObject } from "@capstan/protocol";

/** What one call asks of git. */
export interface GitCall {
  /** `read` changes nothing, and runs like our other reading tools; `change` is judged and confined like the command it is. */
  readonly type: "read" | "change";
  /** From the subcommand on. */
  readonly args: readonly string[];
  /** Files that the call names, as the model wrote them. */
  readonly paths: readonly string[];
  /** What is said where git says nothing. */
  readonly empty: string;
  /** What protected files hold is left out of what is shown. */
  readonly showsContent?: true;
  /** The content of `paths` is shown: rules about reading them count. `maybe-gone`: one that is no longer there still has a history. */
  readonly named?: "there" | "maybe-gone";
}

/** Makes the call out of arguments that fit the schema. @throws ToolRefusal `tool.bad-arguments` */
export type BuildGitCall = (args: JsonObject) => GitCall;
