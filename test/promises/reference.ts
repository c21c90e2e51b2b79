import type { PermissionMode } from "@capstan/protocol";
import { type Owner, ownedBy } from "./promise.ts";

const faults = "test/four-wires/faults";

/** What each permission mode lets happen. */
export const modes: Readonly<Record<PermissionMode, Owner>> = {
  plan: ownedBy(
    "core/policy/test/judge-properties.test.ts",
    "plan mode allows nothing the other modes would not, and nothing that is not read-only",
  ),
  default: ownedBy(
    "core/policy/test/judge.test.ts",
    "commands that only read are free; others ask; mode auto runs what is understood",
  ),
  "accept-edits": ownedBy("core/policy/test/judge.test.ts", "changing files goes by mode and approval"),
  auto: ownedBy(
    "core/policy/test/judge.test.ts",
    "commands that only read are free; others ask; mode auto runs what is understood",
  ),
};

/** The names by which models call a tool. */
export const toolAliases: readonly Owner[] = [
  ownedBy("adapters/tools/test/catalog/built-in-source.test.ts", "no alias stands for two tools, in any case"),
];

/** Who plays the rows of a heading of docs/reference/provider-faults.md. */
export const providerFaults: Readonly<Record<string, readonly Owner[]>> = {
  "The vendor refuses": [ownedBy(`${faults}/refusals.test.ts`, "$id: $vendor")],
  "The connection fails": [ownedBy(`${faults}/broken-answers.test.ts`, "$id: $vendor")],
  "The stream is odd": [
    ownedBy(`${faults}/broken-answers.test.ts`, "$id: $vendor"),
    ownedBy(`${faults}/odd-answers.test.ts`, "$id: $vendor"),
  ],
  "The body is another": [
    ownedBy(`${faults}/broken-answers.test.ts`, "$id: $vendor"),
    ownedBy(`${faults}/odd-answers.test.ts`, "$id: $vendor"),
  ],
  "The answer is huge": [
    ownedBy(`${faults}/large-argument.test.ts`, "$id: $vendor"),
    ownedBy(`${faults}/large-argument-pieces.test.ts`, "$id: $vendor"),
  ],
  "The provider stays away": [ownedBy(`${faults}/absences.test.ts`, "$id: $vendor")],
};
