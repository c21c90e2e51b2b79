/**
 * Folders, and files of caches, that builds and package managers fill and fill again. In mode `default` a command may change those of
 * them that exist when it starts, that git ignores and that hold no tracked file. A name is one of an entry, a star stands for any part
 * of it. The user's configuration adds to them (`sandbox.build_folders`); a repository cannot.
 */
export const buildFolderNames: readonly string[] = [
  "node_modules",
  "bower_components",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  ".nyc_output",
  ".next",
  ".nuxt",
  ".output",
  ".svelte-kit",
  ".astro",
  ".angular",
  ".turbo",
  ".parcel-cache",
  ".vite",
  ".cache",
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
  ".nox",
  ".hypothesis",
  "htmlcov",
  ".gradle",
  ".eslintcache",
  ".stylelintcache",
  "*.tsbuildinfo",
];
