import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { JournalRecord } from "../record.ts";

/** Turns the JSON of one version of a record into that of the next. Pure and total; never changed once released. */
export type Upcast = (stored: JsonObject) => JsonObject;

/**
 * The n-th step of a type leads from version n to version n + 1; a type that is not named here has version 1. Version 1 of the
 * first three is what was written before records had versions: some of its fields may be there, and then they stay.
 */
export const upcasts: { readonly [Type in JournalRecord["type"]]?: readonly Upcast[] } = {
  "session-configured": [
    (stored) => ({ ...stored, config: completeConfig(objectAt(stored, "config")) }),
    (stored) => ({ ...stored, config: withAskPolicy(objectAt(stored, "config")) }),
    (stored) => ({ ...stored, config: withCompactor(objectAt(stored, "config")) }),
    asBefore,
  ],
  "hook-started": [asBefore],
  "hook-finished": [asBefore],
  "tool-decided": [(stored) => ({ ...stored, action: completeAction(objectAt(stored, "action")) })],
  "interaction-opened": [
    (stored) => ({ ...stored, interaction: completeInteraction(objectAt(stored, "interaction")) }),
    (stored) => ({ ...stored, interaction: withOrigin(objectAt(stored, "interaction")) }),
  ],
  "session-started": [withOrigin],
  "session-titled": [withOrigin],
  "turn-queued": [withOrigin],
  "queue-changed": [withOrigin],
  "turn-steered": [withOrigin],
  "turn-started": [withOrigin],
  "interaction-resolved": [withOrigin],
  "rewind-started": [withOrigin],
  "tool-finished": [(stored) => ({ ...stored, outcome: deniedByUser(objectAt(stored, "outcome")) })],
};

/** A list got a word more (`PermissionRequest` among the events of hooks): what was written before does not hold it. */
function asBefore(stored: JsonObject): JsonObject {
  return stored;
}

/** The frontend of an origin was called `face` at first. Total; an origin of today stays as it is. */
export function upcastOrigin(origin: JsonObject): JsonObject {
  const { face, ...rest } = origin;
  return face === undefined ? origin : { frontend: face, ...rest };
}

/** A user's denial was one of a `person` at first. */
function deniedByUser(outcome: JsonObject): JsonObject {
  return outcome["by"] === "person" ? { ...outcome, by: "user" } : outcome;
}

function withOrigin(stored: JsonObject): JsonObject {
  const { origin } = stored;
  return isJsonObject(origin) ? { ...stored, origin: upcastOrigin(origin) } : stored;
}

/** Before there were fallbacks, limits of writing, questions that expire and a sandbox. */
function completeConfig(config: JsonObject): JsonObject {
  return {
    fallbacks: [],
    interactionExpiryMs: null,
    sandbox: unknownSandbox,
    ...config,
    limits: { maxBytesWrittenPerTurn: null, maxFilesWrittenPerTurn: null, ...objectAt(config, "limits") },
  };
}

/** Whether a question is asked or denied was called `attendance` at first. */
function withAskPolicy(config: JsonObject): JsonObject {
  const { attendance, ...rest } = config;
  return attendance === undefined ? config : { askPolicy: attendance, ...rest };
}

/** Before there were several compactors, `summaries` said whether rules took the place of the only one. */
function withCompactor(config: JsonObject): JsonObject {
  const { summaries, ...rest } = config;
  return summaries === undefined ? config : { compactor: summaries, ...rest };
}

const unknownSandbox: JsonObject = {
  isolation: { type: "none", reason: "the session's settings do not speak of one" },
  autoRun: false,
  withoutIsolation: "refuse",
  hosts: [],
};

/** Before there was a sandbox, every command ran without one. */
function completeAction(action: JsonObject): JsonObject {
  const { command } = action;
  if (!isJsonObject(command)) return action;
  return { ...action, command: { confinement: { type: "none" }, scripts: [], nested: [], ...command } };
}

/** Before interactions were bound to a digest, could expire, and named who may answer. */
function completeInteraction(interaction: JsonObject): JsonObject {
  const request = completeRequest(objectAt(interaction, "request"));
  const { digest } = objectAt(request, "action");
  return {
    digest: digest ?? interaction["id"] ?? "",
    openedAt: 0,
    expiresAt: null,
    origin: { face: "engine" },
    answerers: [],
    ...interaction,
    request,
  };
}

function completeRequest(request: JsonObject): JsonObject {
  const { calls } = request;
  if (request["type"] === "approval") {
    const action = completeAction(objectAt(request, "action"));
    return { risk: action["risk"] ?? "medium", warnings: [], ...request, action };
  }
  return Array.isArray(calls) ? { ...request, calls: calls.map(completeCall) } : request;
}

function completeCall(call: JsonValue): JsonValue {
  return isJsonObject(call) ? { ...call, action: completeAction(objectAt(call, "action")) } : call;
}

function objectAt(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? value : {};
}
