import { Global, Module } from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentEffect } from './idempotent-effect.js';

@Global()
@Module({
  providers: [IdempotencyKeysRepository, IdempotencyService, IdempotentEffect],
  exports: [IdempotencyService, IdempotentEffect],
})
export class IdempotencyModule {}
