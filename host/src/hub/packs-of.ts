import { textTokens } from "@capstan/context";
import { type CapstanConfig, protectedPatterns } from "@capstan/settings";
import { openPacker } from "@capstan/tools";
import type { withPacks } from "@capstan/workspace-context";

/** The files that the configuration wants shown: those of `context.include`, then the bundles in their order. */
export function packsOf(config: CapstanConfig, home: string): Parameters<typeof withPacks>[1] {
  const { include, exclude, max_shown_files: files, max_shown_bytes: bytes, max_shown_tokens: most } = config.context;
  const bundles = Object.entries(config.bundles).map(([name, bundle]) => ({
    name,
    title: bundle.title ?? "",
    include: bundle.include,
    exclude: [...exclude, ...bundle.exclude],
  }));
  return {
    packs: [{ name: null, title: "", include, exclude }, ...bundles],
    limits: { files, bytes },
    tokens: most === null ? null : { most, count: textTokens },
    pack: openPacker(protectedPatterns(config)),
    shownTemplates: config.context.templates,
    templates: { templates: config.templates, home },
  };
}
