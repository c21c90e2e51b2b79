import type { EnginePlace, EnginePlaces, SessionPlace } from "@capstan/acp";
import type { EngineClient } from "@capstan/protocol";
import type { Host } from "@capstan/host";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import type { OpenedPlace } from "./open-place.ts";

/** A host for each place that sessions were opened in; all of them have the same store. */
export class HostPlaces implements EnginePlaces {
  readonly #flags: SettingsFlags;
  readonly #opened = new Map<string, Promise<OpenedPlace>>();
  #anywhere: Promise<Host> | undefined;

  constructor(flags: SettingsFlags) {
    this.#flags = flags;
  }

  /** The host of the directory that the process was started in, or of any place. */
  async anywhere(): Promise<EngineClient> {
    const [first] = this.#opened.values();
    if (first !== undefined) return (await first).host.client;
    this.#anywhere ??= this.#openAnywhere();
    return (await this.#anywhere).client;
  }

  async at(place: SessionPlace): Promise<EnginePlace> {
    const key = JSON.stringify(place);
    const opened = this.#opened.get(key) ?? this.#open(place);
    this.#opened.set(key, opened);
    // What was wrong may be right by the next time.
    opened.catch(() => this.#opened.delete(key));
    return (await opened).place;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    for (const each of opened) if (each.status === "fulfilled") await each.value.host.close();
    await (await this.#anywhere)?.close();
  }

  async #openAnywhere(): Promise<Host> {
    // The engine is loaded once the editor has its first answer.
    const { openAnywhere } = await import("./open-place.ts");
    return await openAnywhere(this.#flags);
  }

  async #open(place: SessionPlace): Promise<OpenedPlace> {
    const { openPlace } = await import("./open-place.ts");
    return await openPlace(place, this.#flags);
  }
}
