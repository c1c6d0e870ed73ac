import { type DynamicModule, Module } from '@nestjs/common';
import { Logger } from './logger.js';

@Module({})
export class LoggerModule {
  static of(logger: Logger): DynamicModule {
    return {
      module: LoggerModule,
      global: true,
      providers: [{ provide: Logger, useValue: logger }],
      exports: [Logger],
    };
  }
}
