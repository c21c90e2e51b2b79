/** Hooks of a program: one keeps calls away from a folder, one only watches. What a hook throws refuses the call. */
import { Engine, type ProgramHook } from "capstan";

const keepOut: ProgramHook = {
  event: "PreToolUse",
  matcher: "read_file|edit_file|write_file",
  run: ({ tool_input: input }) => {
    if (JSON.stringify(input).includes("private/")) throw new Error("The folder private is not for agents.");
    return undefined;
  },
};

const engine = new Engine({
  hooks: [
    keepOut,
    (bus) => {
      bus.on("PostToolUse", ({ tool_name: name }) => console.log(`After ${String(name)}`));
      bus.on("UserPromptSubmit", () => "Answer in one sentence.");
    },
  ],
});
const result = await engine.run("What do the letters say?").result();
console.log(result.type === "ended" ? result.text : result);
await engine.shutdown();
