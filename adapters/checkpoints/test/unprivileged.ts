/** The superuser may read everything: there, the test is somebody else for a while. */
export const asNobody: number | undefined = process.getuid?.() === 0 ? 65_534 : undefined;

export async function unprivileged(run: () => Promise<void>): Promise<void> {
  if (asNobody !== undefined) process.seteuid?.(asNobody);
  try {
    await run();
  } finally {
    if (asNobody !== undefined) process.seteuid?.(0);
  }
}
