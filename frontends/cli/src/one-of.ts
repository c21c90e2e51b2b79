import { AppError } from "@capstan/protocol";

/** The word of a flag that takes certain words only. @throws AppError `usage.invalid` */
export function oneOf<Value extends string>(values: readonly Value[], text: string, flag: string): Value {
  const value = values.find((candidate) => candidate === text);
  if (value === undefined)
    throw new AppError("usage.invalid", `${flag} takes ${values.join(", ")}, not ${JSON.stringify(text)}`);
  return value;
}
