import { type InteractionId, toInteractionId } from "@capstan/protocol";
import type { OpenTurn } from "../operation/state.ts";

/** The id of the turn's last question; a restore that answers it carries the same. */
export function lastInteraction({ turnId, interactions }: OpenTurn): InteractionId {
  return toInteractionId(`${turnId}.i${interactions}`);
}
