export { type LinesOptions, serveLines } from "./serve-lines.ts";
