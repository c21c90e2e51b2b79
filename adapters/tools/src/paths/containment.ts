import { relative, sep } from "node:path";

/** The part of `path` below `directory`, components joined by "/"; empty for the directory itself. */
export function below(directory: string, path: string): string {
  return slashes(relative(directory, path));
}

/** A path with "/" between components, on every platform. */
export function slashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
