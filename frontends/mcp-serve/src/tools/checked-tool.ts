import { AppError, isJsonObject, type JsonObject } from "@capstan/protocol";
import { z } from "zod";
import type { CallResult, CallSurroundings, ServerTool } from "./server-tool.ts";

interface Words<Arguments> extends Pick<ServerTool, "name" | "description" | "isReading" | "role"> {
  readonly takes: z.ZodType<Arguments>;
  readonly gives?: z.ZodType;
  call(args: Arguments, surroundings: CallSurroundings): Promise<CallResult>;
}

/** A tool whose arguments are checked before it is called; what is wrong is said by field. */
export function checkedTool<Arguments>(words: Words<Arguments>): ServerTool {
  const { name, description, isReading, role, takes, gives } = words;
  return {
    name,
    description,
    isReading,
    role,
    inputSchema: schemaOf(takes),
    ...(gives === undefined ? {} : { outputSchema: schemaOf(gives) }),
    async call(args, surroundings) {
      const checked = takes.safeParse(args);
      if (!checked.success) throw new AppError("usage.invalid", `${name}: ${problems(checked.error)}`);
      return await words.call(checked.data, surroundings);
    },
  };
}

function schemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  const value: unknown = JSON.parse(JSON.stringify(rest));
  return isJsonObject(value) ? value : {};
}

function problems({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ");
}
