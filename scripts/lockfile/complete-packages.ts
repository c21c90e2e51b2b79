/** The part of package-lock.json that is looked at. */
export interface Lockfile {
  readonly packages: LockedPackages;
}

/** By path: `node_modules/NAME`, or deeper where versions differ. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface MissingPackage {
  readonly name: string;
  readonly version: string;
  readonly neededBy: string;
  readonly isOptional: boolean;
}

/** The same packages, and an entry for each platform package that is named as an optional dependency and has none. */
export function completePackages(packages: LockedPackages): LockedPackages {
  const added = missingPackages(packages).flatMap(({ name, version, neededBy, isOptional }) => {
    const platform = isOptional ? platformOf(name) : undefined;
    if (platform === undefined) return [];
    const dev = packages[neededBy]?.dev === true ? { dev: true } : {};
    return [[`node_modules/${name}`, { version, ...platform, ...dev, optional: true }] as const];
  });
  return Object.fromEntries([...Object.entries(packages), ...added].toSorted(([a], [b]) => a.localeCompare(b, "en")));
}

/** Dependencies that no entry of the lockfile serves. */
export function missingPackages(packages: LockedPackages): readonly MissingPackage[] {
  return Object.entries(packages).flatMap(([neededBy, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.entries({ ...dependencies, ...optionalDependencies })
      .filter(([name]) => !isServed(packages, neededBy, name))
      .map(([name, version]) => ({ name, version, neededBy, isOptional: Object.hasOwn(optionalDependencies, name) })),
  );
}

/** As Node looks for it: in the package's own node_modules, then in those above it. */
function isServed(packages: LockedPackages, neededBy: string, name: string): boolean {
  let folder = neededBy;
  for (;;) {
    if (packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === "") return false;
    folder = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
  }
}

/** What a name such as `@scope/binding-linux-arm64-musl` says about the machines it is for. */
function platformOf(name: string): Pick<LockedPackage, "os" | "cpu" | "libc"> | undefined {
  const found =
    /(?:^|[/-])(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-(?:gnu|musl|msvc|eabi|gnueabihf|musleabihf))?$/.exec(
      name,
    );
  const [, os, cpu] = found ?? [];
  if (os === undefined || cpu === undefined) return undefined;
  const libc =
    os !== "linux" ? undefined : /-musl\w*$/.test(name) ? "musl" : /-gnu\w*$/.test(name) ? "glibc" : undefined;
  return { cpu: [cpu], os: [os], ...(libc === undefined ? {} : { libc: [libc] }) };
}
