import { type DynamicModule, Module } from '@nestjs/common';
import type { Feature } from './feature.js';

/** The deprecated job processors of one feature. They get what its `module` and its `workerModules` export. */
@Module({})
export class FeatureJobsModule {
  static of({ module, workerModules = [], jobs = [] }: Feature): DynamicModule {
    return {
      module: FeatureJobsModule,
      imports: [...(module ? [module] : []), ...workerModules],
      providers: jobs.flatMap((job) => ('processor' in job ? job.processor : [])),
    };
  }
}
