import type { JobDefinition, PayloadOf } from '../job-definition.js';

const HANDLED = Symbol('handled job');

/**
 * Marks the method of a provider that does the work of a job. The method gets the payload, and the worker role calls it. An
 * error fails the job, and the retry rule of the definition applies. At-least-once: the method must be idempotent.
 */
export function Handles<Definition extends JobDefinition>(definition: Definition) {
  return <Method extends (payload: PayloadOf<Definition>) => Promise<unknown>>(
    _prototype: object,
    _name: string | symbol,
    { value }: TypedPropertyDescriptor<Method>,
  ): void => {
    if (value) Reflect.defineMetadata(HANDLED, definition, value);
  };
}

/** The job that a method handles. */
export function handledBy(method: object): JobDefinition | undefined {
  return Reflect.getMetadata(HANDLED, method) as JobDefinition | undefined;
}
