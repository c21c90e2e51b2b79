/** The oldest Node that runs everything (`engines` of package.json). */
const [oldestMajor, oldestMinor] = [20, 19];

/** Why Capstan does not run here, and what to do; `undefined`: it does. In words that the oldest versions of Node can read, too. */
export function unsupported(platform: string, node: string): string | undefined {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    return `Capstan needs Node ${oldestMajor}.${oldestMinor} or later, and this is ${node}. Install a newer one: https://nodejs.org`;
  if (platform === "linux" || platform === "darwin") return undefined;
  return `Capstan runs on Linux and macOS, and this is ${platform}.${platform === "win32" ? " Install it in WSL: https://learn.microsoft.com/windows/wsl" : ""}`;
}
