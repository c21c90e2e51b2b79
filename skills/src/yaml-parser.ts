/** A module of its own: in the bundle a package that is imported when needed would come without its names. */
export { parseDocument } from "yaml";
