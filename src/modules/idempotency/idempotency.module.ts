import { Global, Module } from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentEffectService } from './idempotent-effect.service.js';
import { KeptAnswersService } from './stored-responses.service.js';
import { AnswerPersonalDataService } from './personal-data/answer-personal-data.service.js';
import { AnswerTracesRepository } from './personal-data/answer-personal-data.repository.js';

@Global()
@Module({
  providers: [
    IdempotencyKeysRepository,
    IdempotencyService,
    IdempotentEffectService,
    KeptAnswersService,
    AnswerPersonalDataService,
    AnswerTracesRepository,
  ],
  exports: [AnswerPersonalDataService, IdempotencyService, IdempotentEffectService],
})
export class IdempotencyModule {}
