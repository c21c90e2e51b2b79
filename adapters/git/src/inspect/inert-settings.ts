/** A setting that outweighs what a repository says. */
export type Setting = readonly [name: string, value: string];

/** Whatever a repository's configuration could have git start, but for drivers, whose names are the repository's own. */
export const inertSettings: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.askPass", "false"],
  ["core.editor", "false"],
  ["core.gitProxy", ""],
  ["core.alternateRefsCommand", "false"],
  ["core.untrackedCache", "false"],
  ["sequence.editor", "false"],
  ["diff.external", ""],
  ["interactive.diffFilter", ""],
  ["log.showSignature", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["credential.helper", ""],
  ["protocol.ext.allow", "never"],
  ["safe.bareRepository", "explicit"],
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
  // Another repository's own settings would count for what git asks it.
  ["diff.ignoreSubmodules", "dirty"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["color.ui", "false"],
];

/** Variables that say the same, and that git must not have. */
export const inertVariables: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  // An object that is missing is never fetched: the repository says from where, and with which program.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
  GIT_EDITOR: "false",
  GIT_PAGER: "cat",
  GIT_ASKPASS: "false",
  LC_ALL: "C",
};

/**
 * What takes the programs out of drivers, by the names of all settings there are.
 * @param isRead  nothing is stored: what a filter would have to do is not done
 */
export function blankDrivers(names: readonly string[], isRead: boolean): readonly Setting[] {
  const blanks = names.flatMap((name): readonly Setting[] => {
    if (/^filter\..*\.required$/is.test(name)) return isRead ? [[name, "false"]] : [];
    return driverNames.some((driver) => driver.test(name)) ? [[name, ""]] : [];
  });
  return [...new Map(blanks)];
}

const driverNames: readonly RegExp[] = [
  /^filter\..*\.(?:clean|smudge|process)$/is,
  /^diff\..*\.(?:textconv|command)$/is,
  /^merge\..*\.driver$/is,
  /^(?:pager|alias)\./is,
  /^credential\..*helper$/is,
  /^trailer\..*\.(?:command|cmd)$/is,
  /^difftool\.|^mergetool\./is,
];
