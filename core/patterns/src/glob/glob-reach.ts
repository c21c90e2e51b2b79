import type { GlobPart } from "./glob-parts.ts";

type Parts = readonly GlobPart[];

/** Alternatives without a slash at any depth, all others where they are. */
export function atAnyDepth(parts: Parts): Parts {
  const names = withoutSlash(parts);
  if (names === undefined) return parts;
  return [{ type: "choice", options: [parts, [{ type: "any-names" }, { type: "slash" }, ...names]] }];
}

/** `folder/**` also stands for the folder. */
export function withFolderItself(parts: Parts): Parts {
  let folder = parts;
  while (endsInNames(folder)) folder = folder.slice(0, -2);
  if (folder.length < parts.length) {
    return [...folder, { type: "choice", options: [[], [{ type: "slash" }, { type: "any-names" }]] }];
  }
  return inLastOptions(parts, withFolderItself);
}

/** The alternatives without the slashes at their ends. */
export function withoutEndSlash(parts: Parts): Parts {
  let kept = parts;
  while (kept.length > 1 && kept.at(-1)?.type === "slash") kept = kept.slice(0, -1);
  return inLastOptions(kept, withoutEndSlash);
}

function endsInNames(parts: Parts): boolean {
  return parts.length > 2 && parts.at(-1)?.type === "any-names" && parts.at(-2)?.type === "slash";
}

function inLastOptions(parts: Parts, change: (option: Parts) => Parts): Parts {
  const last = parts.at(-1);
  if (last?.type !== "choice") return parts;
  return [...parts.slice(0, -1), { type: "choice", options: last.options.map(change) }];
}

/** @returns `undefined` where every alternative has a slash */
function withoutSlash(parts: Parts): Parts | undefined {
  const kept: GlobPart[] = [];
  for (const part of parts) {
    if (part.type === "slash") return undefined;
    if (part.type !== "choice") kept.push(part);
    else {
      const options = part.options.map(withoutSlash).filter((option) => option !== undefined);
      if (options.length === 0) return undefined;
      kept.push({ type: "choice", options });
    }
  }
  return kept;
}
