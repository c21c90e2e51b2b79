import { createHost, type Host, loadSettings } from "@capstan/host";
import {
  type JournalRecord,
  type Message,
  type ModelSettings,
  type SessionClient,
  type SessionEvent,
  type SessionTarget,
  type UserContent,
  userText,
} from "@capstan/protocol";
import { asDriver, FollowedSession, isTurnEnd } from "@capstan/testkit";
import { onTestFinished } from "vitest";
import type { Place } from "../end-to-end/stage/place.ts";

/** The vendors by the names of their providers: one for each wire. */
export const vendors = ["anthropic", "openai", "openai-chat", "google"] as const;
export type Vendor = (typeof vendors)[number];

/** Models of today, which think and call tools; the rehearsal answers under any name. */
export const modelOf: Readonly<Record<Vendor, string>> = {
  anthropic: "anthropic/claude-sonnet-4-5",
  openai: "openai/gpt-5.2",
  "openai-chat": "openai-chat/gpt-5.2",
  google: "google/gemini-3-pro-preview",
};

/** No word of any scenario: keys are taken out of what is shown. */
const key = "key-that-opens-nothing";

/** Where each vendor is reached. */
export type Addresses = Readonly<Record<Vendor, string>>;

/** One server for all of them. */
export function allAt(url: string): Addresses {
  return { anthropic: url, openai: url, "openai-chat": url, google: url };
}

/** Command-line words that lead to the vendors' servers, and let the models think. */
export function settingsFor(addresses: Addresses): readonly string[] {
  const wires = {
    anthropic: "anthropic",
    openai: "openai-responses",
    "openai-chat": "openai-chat",
    google: "google",
  } as const;
  const providers = vendors.flatMap((vendor) => {
    const base = vendor.startsWith("openai") ? `${addresses[vendor]}/v1` : addresses[vendor];
    const values = { base_url: base, api_key: key, wire: wires[vendor] };
    return Object.entries(values).map(([name, value]) => `providers.${vendor}.${name}=${value}`);
  });
  return [
    ...providers,
    "anthropic.thinking_enabled=true",
    "retry.base_delay_ms=1",
    // Short schedules: a rehearsed vendor has nothing to recover from.
    "retry.max_delay_ms=1",
  ];
}

export interface TalkOptions {
  readonly addresses: Addresses;
  readonly vendor: Vendor;
  readonly target?: SessionTarget;
  /** Further settings; the last one of a key counts. */
  readonly sets?: readonly string[];
}

/** A session in a host of its own, held as a frontend holds it. */
export interface Talk {
  readonly session: SessionClient;
  readonly model: ModelSettings;
  /** Begins a turn. */
  begin(...content: readonly (UserContent | string)[]): Promise<void>;
  /** One turn to its end, with all its records. */
  say(...content: readonly (UserContent | string)[]): Promise<readonly JournalRecord[]>;
  /** The same, with the events as they stand in the journal. */
  receive(...content: readonly (UserContent | string)[]): Promise<readonly SessionEvent[]>;
  /** Every further turn is this model's. */
  turnTo(model: ModelSettings): Promise<unknown>;
  /** Resolves with the first record from now on that is asked for. */
  next(isIt: (record: JournalRecord) => boolean): Promise<JournalRecord>;
  close(): Promise<void>;
}

/** Opens a session over the real host, with real tools in the place's workspace, where everything may run. */
export async function talk(place: Place, options: TalkOptions): Promise<Talk> {
  const host = await hostFor(place, options);
  const session = await host.client.open(options.target ?? { type: "new" }, asDriver);
  const followed = new FollowedSession(session);
  let open = true;
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await followed.close();
    await host.close();
  };
  onTestFinished(close);
  const next: Talk["next"] = async (isIt) => (await followed.next(isIt)).record;
  const begin: Talk["begin"] = async (...content) => {
    await session.submit({ type: "user-input", turnId: host.client.newTurnId(), content: content.flatMap(toContent) });
  };
  const receive: Talk["receive"] = async (...content) => {
    const { seq } = await session.snapshot();
    const ended = followed.next(isTurnEnd);
    await begin(...content);
    await ended;
    return await host.client.sessions.read(session.id, seq);
  };
  return {
    session,
    model: (await session.snapshot()).config.model,
    begin,
    next,
    close,
    receive,
    say: async (...content) => (await receive(...content)).map(({ record }) => record),
    turnTo: ({ provider, id }) => session.submit({ type: "set", settings: { model: `${provider}/${id}` } }),
  };
}

/** What the host knows about a vendor's model. */
export async function settingsOfModel(place: Place, options: TalkOptions): Promise<ModelSettings> {
  const host = await hostFor(place, options);
  const session = await host.client.open({ type: "new" }, asDriver);
  const { model } = (await session.snapshot()).config;
  await session.close();
  await host.close();
  return model;
}

/** The answers of a conversation, in order. */
export function answersIn(messages: readonly Message[]): readonly Extract<Message, { role: "assistant" }>[] {
  return messages.filter((message) => message.role === "assistant");
}

async function hostFor(place: Place, { addresses, vendor, sets = [] }: TalkOptions): Promise<Host> {
  const settings = await loadSettings({
    env: { PATH: process.env["PATH"], CAPSTAN_HOME: place.data },
    cwd: place.workspace,
    sets: [...settingsFor(addresses), `app.model=${modelOf[vendor]}`, ...sets],
    flags: [],
    safeMode: false,
    addDirectories: [],
    yolo: true,
  });
  return createHost(settings, {
    askPolicy: "deny",
    interactionExpiryMs: null,
    onUnknown: "fail",
    version: "0.0.0",
    report: () => undefined,
  });
}

function toContent(item: UserContent | string): readonly UserContent[] {
  return typeof item === "string" ? userText(item) : [item];
}
