import {
  type Grant,
  type FactsClient,
  type GrantsClient,
  type InboxEntry,
  type InteractionsClient,
  type SessionsClient,
  type SessionSummary,
  type TrustClient,
  wholeText,
} from "@capstan/protocol";
import { streamWindowCharacters } from "../limits.ts";
import { askedFor } from "./asked-for.ts";
import type { LinePeer } from "./line-peer.ts";
import { pulledStream } from "./pulled-stream.ts";

/** Sessions as a whole, through lines. */
export function sessionsOf(peer: LinePeer): SessionsClient {
  return {
    list: async () => (await peer.request("sessions.list", {})).sessions,
    watch: () =>
      pulledStream<readonly SessionSummary[]>(peer, {
        begin: (listener) => peer.begin("sessions.watch", {}, listener),
        read: (line) => (line.event === "sessions" ? line.sessions : undefined),
        lost: () => undefined,
      }),
    read: async (sessionId, after, limit) =>
      (await peer.request("sessions.read", { sessionId, after, ...(limit === undefined ? {} : { limit }) })).events,
    history: (sessionId, before, limit) => peer.request("sessions.history", { sessionId, before, limit }),
    resolve: async (name) => (await peer.request("sessions.resolve", { name })).sessionId,
    copy: async (sessionId, identity) =>
      (await peer.request("sessions.copy", { sessionId, identity: { ...identity } })).sessionId,
    async delete(sessionId, identity) {
      await peer.request("sessions.delete", { sessionId, identity: { ...identity } });
    },
    export: (sessionId, { exact }, identity) =>
      pulledStream<string>(peer, {
        begin: (listener) =>
          peer.begin(
            "sessions.export",
            { sessionId, exact, window: streamWindowCharacters, identity: { ...identity } },
            listener,
          ),
        read: (line) => (line.event === "line" ? line.text : undefined),
        lost: () => undefined,
      }),
    import: (file, identity) =>
      peer.request("sessions.import", { ...file, text: wholeText(file.text), identity: { ...identity } }),
    rewind: (sessionId, request, identity) =>
      peer.request("sessions.rewind", { sessionId, request, identity: { ...identity } }),
    settleProposals: (sessionId, request, identity) =>
      peer.request("sessions.proposals", { sessionId, request, identity: { ...identity } }),
    check: async (sessionId) => (await peer.request("sessions.check", { sessionId })).checks,
  };
}

export function interactionsOf(peer: LinePeer): InteractionsClient {
  return {
    list: async () => (await peer.request("interactions.list", {})).entries,
    find: async (name) => (await peer.request("interactions.find", { name })).found,
    watch: () =>
      pulledStream<readonly InboxEntry[]>(peer, {
        begin: (listener) => peer.begin("interactions.watch", {}, listener),
        read: (line) => (line.event === "interactions" ? line.entries : undefined),
        lost: () => undefined,
      }),
    answer: ({ sessionId, interactionId }, answer, identity) =>
      askedFor(peer.request("interactions.answer", { sessionId, interactionId, answer, identity: { ...identity } })),
  };
}

export function grantsOf(peer: LinePeer): GrantsClient {
  return {
    list: async (): Promise<readonly Grant[]> => (await peer.request("grants.list", {})).grants,
    revoke: async (grantId, identity) =>
      (await peer.request("grants.revoke", { grantId, identity: { ...identity } })).revoked,
  };
}

export function factsOf(peer: LinePeer): FactsClient {
  return {
    list: async (query) => (await peer.request("facts.list", query)).facts,
    remember: async (words, identity) =>
      (await peer.request("facts.remember", { ...words, identity: { ...identity } })).fact,
    change: async (factId, text, identity) =>
      (await peer.request("facts.change", { factId, text, identity: { ...identity } })).changed,
    forget: async (factId, identity) =>
      (await peer.request("facts.forget", { factId, identity: { ...identity } })).forgotten,
  };
}

export function trustOf(peer: LinePeer): TrustClient {
  return {
    questions: async () => (await peer.request("trust.list", {})).questions,
    answer: async ({ folder, digest }, answer, identity) =>
      (await peer.request("trust.answer", { folder, digest, answer, identity: { ...identity } })).counted,
  };
}
