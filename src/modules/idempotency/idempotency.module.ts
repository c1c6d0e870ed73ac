import { Global, Module } from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentEffectService } from './idempotent-effect.service.js';
import { StoredResponsesService } from './stored-responses.service.js';
import { AnswerPersonalDataService } from './personal-data/answer-personal-data.service.js';
import { AnswerPersonalDataRepository } from './personal-data/answer-personal-data.repository.js';

@Global()
@Module({
  providers: [
    IdempotencyKeysRepository,
    IdempotencyService,
    IdempotentEffectService,
    StoredResponsesService,
    AnswerPersonalDataService,
    AnswerPersonalDataRepository,
  ],
  exports: [AnswerPersonalDataService, IdempotencyService, IdempotentEffectService],
})
export class IdempotencyModule {}
