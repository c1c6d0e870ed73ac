/** A provider that said nothing for too long. */
export class SilentProviderError extends Error {
  override readonly name = 'SilentProviderError';
}

/**
 * Waits for a promise, but not longer than it may take.
 *
 * @throws SilentProviderError naming `what` is missing; a later result of the promise is ignored
 */
export function within<T>(promise: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new SilentProviderError(`${what} did not come within ${timeoutMs} ms`)),
      timeoutMs,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
