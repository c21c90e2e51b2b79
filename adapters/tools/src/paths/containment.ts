import { relative, sep } from "node:path";

/** Whether `path` is `directory` or lies below it (`/ws_evil` is not in `/ws`). Both absolute and normalised. */
export function isWithin(directory: string, path: string): boolean {
  if (path === directory) return true;
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** The part of `path` below `directory`, components joined by "/"; empty for the directory itself. */
export function below(directory: string, path: string): string {
  return slashes(relative(directory, path));
}

/** A path with "/" between components, on every platform. */
export function slashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
