const MAX_DEPTH = 3;

/**
 * What went wrong, as words for the log. Libraries also throw and emit plain objects, such as an event with the error under
 * `error`. Nothing else of an object is logged: it may hold what customers have said.
 */
export function thrownMessage(thrown: unknown, depth = 0): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, error } = thrown as { readonly message?: unknown; readonly error?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  if (error !== undefined && depth < MAX_DEPTH) return thrownMessage(error, depth + 1);
  return thrown instanceof Error ? thrown.name : `${thrown.constructor?.name ?? 'Object'} without a message`;
}
