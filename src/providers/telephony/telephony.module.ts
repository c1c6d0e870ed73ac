import { join } from 'node:path';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { DatabaseConfig, TelephonyConfig } from '../../config/config.js';
import { CallCarrier } from './call-carrier.js';
import { NumberCarrier } from './number-carrier.js';
import { SandboxCallCarrier } from './sandbox/sandbox-call-carrier.js';
import { SandboxCarrierClient } from './sandbox/sandbox-carrier-client.js';
import { FileJournal } from './sandbox/sandbox-journal.js';
import { SandboxNumberCarrier } from './sandbox/sandbox-number-carrier.js';

@Module({
  providers: [
    { provide: NumberCarrier, useClass: SandboxNumberCarrier },
    {
      provide: CallCarrier,
      inject: [TelephonyConfig, DatabaseConfig],
      useFactory: (
        { sandboxSpeed, sandboxCarrierUrl, sandboxDir }: TelephonyConfig,
        database: DatabaseConfig,
      ) =>
        sandboxCarrierUrl === undefined
          ? new SandboxCallCarrier({
              clock: new SystemClock(sandboxSpeed),
              journal: new FileJournal(join(sandboxDir, 'calls.jsonl')),
              // A database of the operator may have workers on other machines, each with its own sandbox.
              knowsAllDials: database.url === undefined,
            })
          : new SandboxCarrierClient(sandboxCarrierUrl, sandboxSpeed),
    },
  ],
  exports: [CallCarrier, NumberCarrier],
})
export class TelephonyModule implements OnApplicationShutdown {
  constructor(private readonly callCarrier: CallCarrier) {}

  onApplicationShutdown(): Promise<void> {
    return this.callCarrier.close();
  }
}
