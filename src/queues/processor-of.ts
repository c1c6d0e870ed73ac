import { Processor } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { JobDefinition } from './job-definition.js';
import { workerOptions } from './workers/worker-options.js';

/** Binds a processor class to the queue of its job. Sweeps are run by the maintenance worker. */
export function ProcessorOf({ name, concurrency, isSweep }: JobDefinition): ClassDecorator {
  return isSweep ? Injectable() : Processor(name, { ...workerOptions(name), concurrency });
}
