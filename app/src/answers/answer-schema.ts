import { createReadStream } from "node:fs";
import type { AnswerForm, CheckedAnswer } from "@capstan/cli";
import { AppError, isJsonObject, type JsonObject, type JsonValue, messageOf } from "@capstan/protocol";
import { dereference, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { describeMismatch } from "./describe-mismatch.ts";
import { schemaOfSchemas } from "./schema-of-schemas.ts";

/** A schema goes to the model as words. */
const maxSchemaBytes = 256 * 1024;

/**
 * The form of an answer that a JSON Schema gives it.
 * @param given  the schema itself, or the file that holds it, relative to the current directory
 * @throws {AppError} `usage.invalid` naming the file and what is wrong with it
 */
export async function readAnswerSchema(given: string): Promise<AnswerForm> {
  const isText = given.trimStart().startsWith("{");
  const name = isText ? "the schema that was given" : given;
  const text = isText ? given : await contentOf(given);
  const schema = schemaIn(text, name);
  const validator = validatorOf(schema, name);
  return {
    request: `Your last answer is read by a program. It must be one JSON value that fits this JSON Schema, and nothing else: no words around it, no code fence.\n${JSON.stringify(schema)}`,
    check: (answer) => checkAnswer(answer, validator),
  };
}

async function contentOf(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    // One byte more than there may be tells that there is more.
    for await (const piece of createReadStream(path, { end: maxSchemaBytes })) pieces.push(Buffer.from(piece));
  } catch (error) {
    throw refuse(`the schema ${path} cannot be read: ${messageOf(error)}`);
  }
  const content = Buffer.concat(pieces);
  if (content.length > maxSchemaBytes) throw refuse(`the schema ${path} has more than ${maxSchemaBytes / 1024} KB`);
  return content.toString("utf8").replace(/^\uFEFF/, "");
}

function schemaIn(text: string, name: string): JsonObject {
  const found = parsed(text);
  if (found.type === "wrong") throw refuse(`${name} is not JSON: ${found.problem}`);
  const { value } = found;
  if (!isJsonObject(value)) throw refuse(`${name} is no JSON Schema: it must be an object`);
  const { valid, errors } = new Validator(structuredClone(schemaOfSchemas), "2020-12", false).validate(value);
  if (!valid) throw refuse(`${name} is no JSON Schema: ${describeMismatch(errors)}`);
  return value;
}

/** @throws {AppError} where it refers to what is not there, or to itself without an end */
function validatorOf(schema: JsonObject, name: string): Validator {
  // A copy: marks are written into it.
  const copy = structuredClone(schema) as Schema;
  const draft = draftOf(schema["$schema"]);
  try {
    const known = dereference(copy);
    for (const each of Object.values(known)) {
      const { $ref = "", __absolute_ref__: target } = typeof each === "boolean" ? {} : each;
      if (target !== undefined && known[target] === undefined) throw new Error(`"$ref": "${$ref}" leads nowhere`);
    }
    const validator = new Validator(copy, draft, false);
    validator.validate(null);
    return validator;
  } catch (error) {
    const isEndless = error instanceof RangeError;
    throw refuse(`${name} is no JSON Schema: ${isEndless ? "it refers to itself without an end" : messageOf(error)}`);
  }
}

function draftOf(named: JsonValue | undefined): SchemaDraft {
  const draft = /draft-0?(4|7)\b|(2019-09)/.exec(typeof named === "string" ? named : "");
  if (draft?.[2] !== undefined) return "2019-09";
  if (draft?.[1] === "4") return "4";
  return draft?.[1] === "7" ? "7" : "2020-12";
}

function checkAnswer(answer: string, validator: Validator): CheckedAnswer {
  const text = withoutFence(answer.trim());
  const found = parsed(text);
  if (found.type === "wrong") return { type: "wrong", problem: `it is not JSON: ${found.problem}` };
  try {
    const { valid, errors } = validator.validate(found.value);
    return valid ? { type: "fits", text, value: found.value } : { type: "wrong", problem: describeMismatch(errors) };
  } catch (error) {
    return { type: "wrong", problem: `the schema cannot be applied to it: ${messageOf(error)}` };
  }
}

/** Models put one around JSON by habit, whatever was asked for. */
function withoutFence(text: string): string {
  return /^```(?:json)?[ \t]*\n([^]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}

function parsed(
  text: string,
): { readonly type: "json"; readonly value: JsonValue } | Extract<CheckedAnswer, { type: "wrong" }> {
  try {
    const value: JsonValue = JSON.parse(text);
    return { type: "json", value };
  } catch (error) {
    return { type: "wrong", problem: messageOf(error).replaceAll(/\s+/g, " ") };
  }
}

function refuse(message: string): AppError {
  return new AppError("usage.invalid", message, {
    hint: "Give a JSON Schema: a file that holds it, or the schema itself.",
  });
}
