/** From here on a standard output that cannot be written is noticed: a result that nobody got is no success. Call it once. */
export function watchOutput(): void {
  let isLost = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`capstan --help | head`) is no failure.
    if (isLost || error.code === "EPIPE") return;
    isLost = true;
    process.stderr.write(
      `capstan: standard output could not be written: ${error.message} [storage.unavailable]\n` +
        "  Answers are kept: `capstan sessions list` names the session, and `capstan sessions show ID` prints it.\n",
    );
    process.on("exit", (code) => {
      if (code === 0) process.exitCode = 1;
    });
  });
}
