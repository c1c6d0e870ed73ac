import { Global, Module } from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentEffectService } from './idempotent-effect.service.js';

@Global()
@Module({
  providers: [IdempotencyKeysRepository, IdempotencyService, IdempotentEffectService],
  exports: [IdempotencyService, IdempotentEffectService],
})
export class IdempotencyModule {}
