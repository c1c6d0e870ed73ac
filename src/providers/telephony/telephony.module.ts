import { join } from 'node:path';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { SystemClock } from '../../common/time/clock.js';
import { DatabaseConfig, TelephonyConfig } from '../../config/config.js';
import { CallCarrier } from './call-carrier.js';
import { NumberCarrier } from './number-carrier.js';
import { SandboxCallCarrier } from './sandbox/sandbox-call-carrier.js';
import { SandboxCarrierClient } from './sandbox/sandbox-carrier-client.js';
import { FileJournal, NoJournal } from './sandbox/sandbox-journal.js';
import { SandboxNumberCarrier } from './sandbox/sandbox-number-carrier.js';

/**
 * The embedded database and the sandbox's journal live and die in one folder. A database of the operator outlives folders
 * and may have workers on other machines: there a sandbox inside a process remembers its own calls only, and says so.
 */
function sandboxMemory(folder: string, database: DatabaseConfig) {
  return database.url === undefined
    ? { journal: new FileJournal(join(folder, 'calls.jsonl')), knowsAllDials: true }
    : { journal: new NoJournal(), knowsAllDials: false };
}

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
              ...sandboxMemory(sandboxDir, database),
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
