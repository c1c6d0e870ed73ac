import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { JobDefinition } from '../job-definition.js';
import { handledBy } from './handles.js';
import { type JobHandler, runJob } from './job-handler.js';
import { JobHandlersError } from './job-handlers.error.js';

/** A method of a provider, before anything is known about it. */
type Method = (payload: unknown) => Promise<unknown>;

/** All handlers among the providers of this process. */
export function findHandlers(discovery: DiscoveryService): JobHandler[] {
  const scanner = new MetadataScanner();
  const seen = new Set<object>();
  return discovery.getProviders().flatMap((provider) => {
    const instance = provider.instance as unknown;
    if (typeof instance !== 'object' || instance === null || seen.has(instance)) return [];
    seen.add(instance);
    const module = provider.host?.name ?? 'no module';
    return methodHandlers(instance, module, scanner);
  });
}

/**
 * The handler of each definition, by the name of the job.
 *
 * @throws JobHandlersError when a job has no handler or a second one, or a handler has no job
 */
export function handlersByName(
  definitions: readonly JobDefinition[],
  found: readonly JobHandler[],
): ReadonlyMap<string, JobHandler> {
  const byName = new Map<string, JobHandler>();
  for (const handler of found) {
    const { name } = handler.definition;
    const other = byName.get(name);
    if (other) throw JobHandlersError.second(name, other.place, handler.place);
    byName.set(name, handler);
  }
  const names = new Set(definitions.map(({ name }) => name));
  const missing = [...names].filter((name) => !byName.has(name));
  if (missing.length > 0) throw JobHandlersError.missing(missing);
  for (const [name, { place }] of byName) {
    if (!names.has(name)) throw JobHandlersError.unlisted(name, place);
  }
  return byName;
}

function methodHandlers(instance: object, module: string, scanner: MetadataScanner): JobHandler[] {
  const methods = instance as Record<string, Method>;
  return scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((name) => {
    const method = methods[name];
    const definition = method && handledBy(method);
    if (!method || !definition) return [];
    return {
      definition,
      place: `${instance.constructor.name}.${name} in ${module}`,
      run: (data) => runJob(definition, data, (payload) => (methods[name] ?? method).call(instance, payload)),
    };
  });
}
