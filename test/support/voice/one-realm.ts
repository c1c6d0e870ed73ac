import { ReadableStream } from 'node:stream/web';

/**
 * Jest gives each spec a TypeError of its own, and Node's streams throw that of the process. The engine knows by
 * `instanceof` that a reader was merely released, so that both must be the same; else it forgets a rejection, which fails the spec.
 */
export async function useTypeErrorOfTheProcess(): Promise<void> {
  const reader = new ReadableStream().getReader();
  const reading = reader.read();
  reader.releaseLock();
  const error: unknown = await reading.catch((reason: unknown) => reason);
  globalThis.TypeError = (error as TypeError).constructor as TypeErrorConstructor;
}
