import { Injectable } from '@nestjs/common';
import type { JobDefinition } from './job-definition.js';

/**
 * Marks the class that does the work of a job.
 *
 * @deprecated use `@Handles(definition)` on a method of a provider. Prosa 0.4.0 removes this decorator.
 */
export function ProcessorOf(_definition: JobDefinition): ClassDecorator {
  return Injectable();
}
