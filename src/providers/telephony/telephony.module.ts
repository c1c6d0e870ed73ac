import { Module } from '@nestjs/common';
import { NumberCarrier } from './number-carrier.js';
import { SandboxNumberCarrier } from './sandbox/sandbox-number-carrier.js';

@Module({
  providers: [{ provide: NumberCarrier, useClass: SandboxNumberCarrier }],
  exports: [NumberCarrier],
})
export class TelephonyModule {}
