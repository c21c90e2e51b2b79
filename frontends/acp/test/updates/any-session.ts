import type { JournalRecord, SessionEvent } from "@capstan/protocol";
import { playMoves, pruned, randomMoves } from "@capstan/testkit";
import * as fc from "fast-check";
import { choicesFor } from "../../src/asking/choices.ts";
import { permissionRequest } from "../../src/asking/permission.ts";
import { formMessage, questionForm } from "../../src/asking/question-form.ts";
import { configOptions, modeState } from "../../src/session/settings-options.ts";
import type { ClientFeatures } from "../../src/updates/said.ts";
import { SessionUpdates } from "../../src/updates/session-updates.ts";
import type { SessionUpdate } from "../../src/updates/update-types.ts";
import { problemWith } from "../published-schema.ts";

/** Random histories of a session, as numbered events. */
export const anyEvents: fc.Arbitrary<readonly SessionEvent[]> = fc
  .tuple(randomMoves, fc.nat(11))
  .map(([moves, variant]) => numbered(playMoves(moves, variant).journal));

export const anyFeatures: fc.Arbitrary<ClientFeatures> = fc.record({
  notices: fc.boolean(),
  compaction: fc.boolean(),
  forms: fc.boolean(),
  terminalLogin: fc.boolean(),
});

function numbered(journal: readonly JournalRecord[]): readonly SessionEvent[] {
  return journal.map((record, at) => ({ seq: at + 1, at: 1000 + at, record }));
}

/** As the store hands them out: without the pieces that a later record of theirs superseded. */
export function kept(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const records = new Set(pruned(events.map(({ record }) => record)));
  return events.filter(({ record }) => records.has(record));
}

export function updatesOf(events: readonly SessionEvent[], features: ClientFeatures): readonly SessionUpdate[] {
  const updates = projection(features);
  return events.flatMap((event) => updates.take(event));
}

function projection(features: ClientFeatures): SessionUpdates {
  return new SessionUpdates({
    features,
    isOwn: () => false,
    configOptions: (config) => configOptions(config, ["anthropic/other"]),
  });
}

/** Everything that a client would receive, each with what of the published schema it does not keep to. */
export function checkedLines(events: readonly SessionEvent[], features: ClientFeatures): readonly (string | null)[] {
  const updates = projection(features);
  const place = { sessionId: "s", cwd: "/work", callName: (id: string) => updates.callName(id) };
  return events.flatMap((event) => {
    const notified = updates.take(event).map((update) => check("SessionNotification", { sessionId: "s", update }));
    const { record } = event;
    if (record.type === "session-configured") return [...notified, check("SessionModeState", modeState(record.config))];
    if (record.type !== "interaction-opened") return notified;
    const { interaction } = record;
    const request = permissionRequest(interaction, choicesFor(interaction), place);
    const asked = [...notified, check("RequestPermissionRequest", request)];
    if (interaction.request.type !== "question") return asked;
    const { questions } = interaction.request;
    const form = { mode: "form", sessionId: "s", message: formMessage(questions) };
    return [...asked, check("CreateElicitationRequest", { ...form, requestedSchema: questionForm(questions) })];
  });
}

/** As it arrives. */
function check(definition: string, value: object): string | null {
  return problemWith(definition, JSON.parse(JSON.stringify(value)));
}
