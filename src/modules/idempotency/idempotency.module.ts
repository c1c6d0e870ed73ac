import { Global, Module } from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentEffectService } from './idempotent-effect.service.js';
import { KeptAnswersService } from './kept-answers.service.js';
import { AnswerPersonalDataService } from './personal-data/answer-personal-data.service.js';
import { AnswerTracesRepository } from './personal-data/answer-traces.repository.js';

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
