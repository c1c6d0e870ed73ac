import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DrainRegistry } from '../../common/http/connections/drain-registry.js';
import { CallSessionsService } from './call-sessions.service.js';

/** Lets a shutdown wait for the calls whose lines live in this process. */
@Injectable()
export class CallDrainService implements OnModuleInit {
  constructor(
    private readonly drains: DrainRegistry,
    private readonly sessions: CallSessionsService,
  ) {}

  onModuleInit(): void {
    this.drains.add({
      name: 'calls',
      inProgress: () => this.sessions.ownLines,
      drain: (timeoutMs) => this.sessions.drain(timeoutMs),
    });
  }
}
