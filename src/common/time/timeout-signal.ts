/**
 * A signal that fires after a time, with the reason of `AbortSignal.timeout` (`TimeoutError`). It is held by its timer: in
 * Node 20 a timeout that only `AbortSignal.any` refers to is collected as garbage, and then never fires.
 *
 * @param timeoutMs real milliseconds; the timer keeps no process alive
 * @see https://github.com/nodejs/node/issues/57736
 */
export function timeoutSignal(timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  const fire = () => controller.abort(timeoutError());
  setTimeout(fire, Math.ceil(timeoutMs)).unref();
  return controller.signal;
}

/** The reason of a signal whose time is over. */
export function timeoutError(): DOMException {
  return new DOMException('The time is over.', 'TimeoutError');
}
