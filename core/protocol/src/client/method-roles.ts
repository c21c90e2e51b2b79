import type { ClientIdentity } from "./client-identity.ts";
import type { EngineClient, FactsClient, GrantsClient, InteractionsClient, SessionClient } from "./engine-client.ts";
import { AppError } from "../errors.ts";
import type { TrustClient } from "./installation.ts";
import { includesRole, type Role } from "./role.ts";
import type { SessionsClient } from "./sessions-client.ts";

type Methods<Client, Prefix extends string = ""> = {
  [Name in keyof Client & string]: Client[Name] extends (...parameters: never[]) => unknown
    ? `${Prefix}${Name}`
    : never;
}[keyof Client & string];

/** Every method of the client API. */
export type ClientMethod =
  | Methods<EngineClient>
  | Methods<SessionsClient, "sessions.">
  /** `sessions.export` with its secrets. */
  | "sessions.exportExact"
  | Methods<InteractionsClient, "interactions.">
  | Methods<GrantsClient, "grants.">
  | Methods<FactsClient, "facts.">
  | Methods<TrustClient, "trust.">
  | Methods<SessionClient, "session.">;

/** The least role that each method takes; one without a line does not compile. Submissions have a table of their own. */
export const methodRoles: Readonly<Record<ClientMethod, Role>> = {
  open: "watch",
  models: "watch",
  skills: "watch",
  config: "watch",
  doctor: "watch",
  problems: "watch",
  newTurnId: "watch",
  close: "watch",
  "sessions.list": "watch",
  "sessions.watch": "watch",
  "sessions.read": "watch",
  "sessions.history": "watch",
  "sessions.resolve": "watch",
  "sessions.check": "watch",
  "sessions.export": "watch",
  "sessions.exportExact": "operate",
  "sessions.copy": "drive",
  "sessions.delete": "operate",
  "sessions.import": "operate",
  "sessions.rewind": "operate",
  "sessions.settleProposals": "approve",
  "interactions.list": "watch",
  "interactions.find": "watch",
  "interactions.watch": "watch",
  "interactions.answer": "approve",
  "grants.list": "watch",
  "grants.revoke": "operate",
  "facts.list": "watch",
  "facts.remember": "operate",
  "facts.change": "operate",
  "facts.forget": "operate",
  "trust.questions": "watch",
  "trust.answer": "operate",
  "session.attach": "watch",
  "session.submit": "watch",
  "session.snapshot": "watch",
  "session.history": "watch",
  "session.conversation": "watch",
  "session.draft": "watch",
  "session.saveDraft": "watch",
  "session.presence": "watch",
  "session.owner": "watch",
  "session.previewRewind": "watch",
  "session.context": "watch",
  "session.findFiles": "ask",
  "session.close": "watch",
};

/** @throws AppError `door.role` for a client whose role is not enough */
export function requireRole(method: ClientMethod, { role }: Pick<ClientIdentity, "role">): void {
  const needed = methodRoles[method];
  if (includesRole(role, needed)) return;
  throw new AppError("door.role", `${method} takes the role ${needed}, and this client has ${role}`);
}
