import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DrainRegistry } from '../../common/http/connections/drain-registry.js';
import { CallRunnerService } from './call-runner.service.js';

/** Lets a shutdown wait for the calls whose lines live in this process. */
@Injectable()
export class CallDrainService implements OnModuleInit {
  constructor(
    private readonly drains: DrainRegistry,
    private readonly runner: CallRunnerService,
  ) {}

  onModuleInit(): void {
    this.drains.add({
      name: 'calls',
      inProgress: () => this.runner.ownLines,
      drain: (timeoutMs) => this.runner.drain(timeoutMs),
    });
  }
}
