/** Those who wait until something is so; to be woken whenever it may have become so. */
export class Waiters {
  #waiting: readonly (() => void)[] = [];

  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#waiting = [...this.#waiting, resolve];
      });
    }
  }
}
