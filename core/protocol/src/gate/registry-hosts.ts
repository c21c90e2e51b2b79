/** The word in `sandbox.hosts` that stands for all of `registryHosts`. No host has such a name. */
export const registriesPreset = "@registries";

/**
 * Where package managers of the usual ecosystems fetch from: npm, PyPI, crates.io, Go, RubyGems, Packagist, Debian. None of them is taken for a
 * host of a private network: whoever has a mirror there under such a name names it with its port.
 */
export const registryHosts: readonly string[] = [
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "pypi.org",
  "files.pythonhosted.org",
  "index.crates.io",
  "static.crates.io",
  "proxy.golang.org",
  "sum.golang.org",
  "rubygems.org",
  "index.rubygems.org",
  "packagist.org",
  "repo.packagist.org",
  "deb.debian.org",
  "security.debian.org",
];

/** Hosts as the configuration names them, the preset written out. */
export function withoutPreset(hosts: readonly string[]): readonly string[] {
  return hosts.flatMap((host) => (host === registriesPreset ? registryHosts : [host]));
}
