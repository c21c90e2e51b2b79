const running = new Set<() => void>();

/** Has something done when Capstan ends, whatever else is done then. @returns takes it back */
export function atExit(work: () => void): () => void {
  if (running.size === 0) process.once("exit", doAll);
  running.add(work);
  return () => {
    running.delete(work);
    if (running.size === 0) process.off("exit", doAll);
  };
}

function doAll(): void {
  for (const work of running) work();
}
