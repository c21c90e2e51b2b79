/**
 * Whether `path` is `folder` or lies below it (`/ws_evil` is not in `/ws`). Both are absolute, normalised and spelled alike: a folder that
 * does not begin with a slash is one of Windows, whose names end at a backslash.
 */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(withSeparator(folder));
}

/**
 * The names under which patterns may speak of a path: absolute, and relative to each folder that it lies below.
 * @param path  absolute and normalised
 */
export function namesOfPath(path: string, folders: readonly string[]): readonly string[] {
  const above = folders.filter((folder) => folder !== path && isWithin(folder, path));
  return [...new Set([path, ...above.map((folder) => path.slice(withSeparator(folder).length))])];
}

function withSeparator(folder: string): string {
  const separator = folder.startsWith("/") ? "/" : "\\";
  return folder.endsWith(separator) ? folder : folder + separator;
}
