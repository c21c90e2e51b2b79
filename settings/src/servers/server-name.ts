/** Whether a server may have this name: it becomes a part of its tools' names. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/.test(name) && name.length <= 32;
}

/** What a server's name must be, as the end of a sentence. */
export const serverNameRule = 'its name must be at most 32 letters and digits, with single "_" or "-" between them';
