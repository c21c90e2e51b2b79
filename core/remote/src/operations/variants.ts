import { z } from "zod";

interface Tagged {
  readonly type: string;
}

/** A schema for every field but the tag, those that may be left out too. */
type Fields<Variant> = {
  readonly [Name in Exclude<keyof Variant, "type">]-?: z.ZodType<Exclude<Variant[Name], undefined>>;
};

/** The fields of every variant of a union: none forgotten, none too many. */
type Variants<Union extends Tagged> = {
  readonly [Type in Union["type"]]: Fields<Extract<Union, { readonly type: Type }>>;
};

/** The schema of a union with a `type` tag. Unknown fields are refused, so that a misspelt one is noticed. */
export function variants<Union extends Tagged>(shapes: Variants<Union>): z.ZodType<Union> {
  const [first, ...others] = Object.entries<z.ZodRawShape>(shapes).map(([type, shape]) =>
    z.strictObject({ type: z.literal(type), ...shape }),
  );
  if (first === undefined) throw new Error("a union has variants");
  return z.discriminatedUnion("type", [first, ...others]).pipe(z.custom<Union>());
}

/** The schema of an object with exactly these fields. */
export function fields<Whole extends object>(shape: {
  readonly [Name in keyof Whole]-?: z.ZodType<Exclude<Whole[Name], undefined>>;
}): z.ZodType<Whole> {
  const object: z.ZodType = z.strictObject(shape);
  return object.pipe(z.custom<Whole>());
}

/** An object that crosses as it is, with whatever a newer version adds to it; `names` are the fields it has at least. */
export function asItIs<Whole extends object>(...names: readonly (keyof Whole & string)[]): z.ZodType<Whole> {
  return z.custom<Whole>(
    (value) => typeof value === "object" && value !== null && names.every((name) => Object.hasOwn(value, name)),
    `expected an object with ${names.join(", ")}`,
  );
}
