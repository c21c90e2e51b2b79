import type { EngineClient, UserContent } from "@capstan/protocol";
import type { SessionPlace } from "../params/session-place.ts";
import type { OwnCommand } from "./slash-commands.ts";

/** An engine for the sessions of a place, and what the user has there. */
export interface EnginePlace {
  readonly engine: EngineClient;
  /** What the user should know of the place before work begins there, once. */
  readonly notices: readonly string[];
  commands(): readonly OwnCommand[];
  /** `provider/id` of the models that can be asked; none where that cannot be found out. */
  models(): Promise<readonly string[]>;
  /** What a prompt means that begins with the name of a command. @throws AppError for a command that there is not */
  expand(words: string): Promise<readonly UserContent[]>;
}

/** Where sessions are held. */
export interface EnginePlaces {
  /** For what concerns no place: listing and deleting sessions. */
  anywhere(): Promise<EngineClient>;
  /** The same place gives the same engine. @throws AppError `config.*`, `usage.workspace-missing`, `model.*`, `provider.auth` */
  at(place: SessionPlace): Promise<EnginePlace>;
}
