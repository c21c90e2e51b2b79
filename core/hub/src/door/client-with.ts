import type { SessionClient } from "@capstan/protocol";

/** The same client, closed in another way, or asked in another way. */
export function clientWith(
  client: SessionClient,
  { close, submit }: Partial<Pick<SessionClient, "close" | "submit">>,
): SessionClient {
  return {
    id: client.id,
    identity: client.identity,
    get recovery() {
      return client.recovery;
    },
    fault: client.fault,
    attach: (after) => client.attach(after),
    submit: submit ?? ((submission) => client.submit(submission)),
    snapshot: () => client.snapshot(),
    history: (before, limit) => client.history(before, limit),
    conversation: (before, limit) => client.conversation(before, limit),
    draft: () => client.draft(),
    saveDraft: (text) => client.saveDraft(text),
    presence: () => client.presence(),
    owner: () => client.owner(),
    previewRewind: (keepTurns) => client.previewRewind(keepTurns),
    context: () => client.context(),
    findFiles: (text, limit) => client.findFiles(text, limit),
    close: close ?? (() => client.close()),
  };
}
