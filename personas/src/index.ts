export { findPersonas, type FoundPersonas, type PersonaPlaces } from "./find-personas.ts";
export type { Persona } from "./persona.ts";
export { stackPersonas } from "./stack-personas.ts";
