import type { Role } from "@capstan/protocol";
import { z } from "zod";
import { maxPageEvents } from "../limits.ts";
import type { InSession, Named, OpenParams, OperationId, Params, Result } from "./operation-types.ts";
import * as values from "./values.ts";
import { fields } from "./variants.ts";

/** One operation, as data: what it is for, the role it takes, its parameters and its result. */
export interface Operation<Id extends OperationId> {
  readonly about: string;
  readonly role: Role;
  readonly params: z.ZodType<Params<Id>>;
  readonly result: z.ZodType<Result<Id>>;
}

/** Some of them, by their names. */
export type Operations<Id extends OperationId> = { readonly [Each in Id]: Operation<Each> };

type Shape<Whole> = { readonly [Name in keyof Whole]-?: z.ZodType<Exclude<Whole[Name], undefined>> };

export const none: z.ZodType<Record<string, never>> = fields<Record<string, never>>({});
export const inSession: Shape<InSession> = { sessionId: values.sessionId, client: values.name.exactOptional() };
export const named: Shape<Named> = { identity: values.namedClient.exactOptional() };
export const opening: Shape<OpenParams> = {
  ...named,
  purpose: z.enum(["drive", "watch"]).exactOptional(),
  resume: z.enum(["at-once", "wait"]).exactOptional(),
};
export const page: z.ZodType<number> = z.int().min(1).max(maxPageEvents);
