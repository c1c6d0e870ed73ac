/** Places of the dial path at which a process may die or freeze. */
export const FAILPOINTS = [
  'before-claim-commit',
  'after-claim',
  'before-send',
  'after-send-before-reply',
  'after-reply-before-outcome',
  'after-outcome',
] as const;

/** Places of a first start, in the order in which it passes them. */
export const START_FAILPOINTS = [
  'after-first-account',
  'after-first-credit',
  'after-first-assistant',
  'after-first-conversation',
  'after-first-key',
  'after-first-banner',
] as const;

export type Failpoint = (typeof FAILPOINTS | typeof START_FAILPOINTS)[number];

/** A fault test sets this function before it loads the product (test/support/failing-at.ts). */
const HOOK = Symbol.for('prosa.failpoint');

/** Does nothing outside fault tests. */
export async function failpoint(point: Failpoint): Promise<void> {
  const hook: unknown = Reflect.get(globalThis, HOOK);
  if (typeof hook === 'function') await hook(point);
}
