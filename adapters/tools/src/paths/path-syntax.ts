import { ToolRefusal } from "@capstan/protocol";
import { hasOddCharacter, inertText } from "./inert-text.ts";
import { maxNameBytes, maxPathBytes } from "./limits.ts";

/**
 * Refuses forms of a path that mean different things to different readers, before the file system is asked.
 * @throws {ToolRefusal} `path.invalid`, which says what to write instead
 */
export function checkPathSyntax(requested: string): void {
  const problem = wholeProblem(requested) ?? requested.split("/").map(nameProblem).find(Boolean);
  if (problem === undefined) return;
  throw new ToolRefusal("rejected", "path.invalid", `Path ${quotedPath(requested)} is not accepted: ${problem}`);
}

/** A path as it may stand in a message: quoted, inert, not endless. */
export function quotedPath(path: string): string {
  return `"${inertText(path, 200)}"`;
}

function wholeProblem(path: string): string | undefined {
  if (path === "") return 'it is empty. Write a path such as "src/main.ts", or "." for the working directory.';
  if (hasOddCharacter(path)) return "it holds control or text-direction characters. Write a plain path.";
  if (Buffer.byteLength(path) > maxPathBytes) return `it is longer than ${maxPathBytes} bytes.`;
  if (path.trim() !== path) return "it begins or ends with white space.";
  if (/^~[^/]*(\/|$)/.test(path))
    return '"~" is not expanded. Write it relative to the working directory ("./~name" for such a name).';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) || /^file:/i.test(path)) return "it is a URL. Write a plain path.";
  if (path.startsWith("//")) return "network paths are not read. Write it with a single slash.";
  if (path.includes("\\") && process.platform !== "win32") return 'it holds a backslash. Use "/" between folders.';
  if (/^[a-z]:/i.test(path) && process.platform !== "win32")
    return "drive letters do not exist here. Write a relative path.";
  return undefined;
}

function nameProblem(name: string): string | undefined {
  if (name === "" || name === "." || name === "..") return undefined;
  if (Buffer.byteLength(name) > maxNameBytes) return `a name in it is longer than ${maxNameBytes} bytes.`;
  // Some systems drop trailing dots and spaces, so that two spellings name one file.
  if (/[. ]$/.test(name)) return `the name ${quotedPath(name)} ends with a dot or a space.`;
  if (/::?\$(data|index_allocation|attribute_list|bitmap)$/i.test(name)) return "it names a data stream inside a file.";
  return process.platform === "win32" ? windowsNameProblem(name) : undefined;
}

function windowsNameProblem(name: string): string | undefined {
  if (/^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i.test(name)) return `${quotedPath(name)} names a device.`;
  return /^[a-z]:$/i.test(name) || !name.includes(":") ? undefined : "it names a data stream inside a file.";
}
