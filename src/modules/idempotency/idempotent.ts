import { applyDecorators, SetMetadata, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInterceptor, RESUMES } from './idempotency.interceptor.js';
import { ReplayedAnswerFilter } from './replayed-answer.js';

export interface IdempotentOptions {
  /**
   * The service makes its effect through `IdempotentEffectService.once`, so a request whose process died may run again.
   * Otherwise nobody knows whether it took effect, and repetitions are refused until the key has expired.
   */
  readonly resumes?: boolean;
}

/**
 * Takes an `Idempotency-Key`: for a day, the same request with the same key gets the first answer instead of another
 * effect. The answer is kept in the database: not for routes that answer with a secret.
 */
export const Idempotent = ({ resumes = false }: IdempotentOptions = {}) =>
  applyDecorators(
    SetMetadata(RESUMES, resumes),
    UseInterceptors(IdempotencyInterceptor),
    UseFilters(ReplayedAnswerFilter),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Up to 255 printable characters of your choice. For 24 hours a repetition with the same body gets the first ' +
        'answer with `Idempotent-Replayed: true`, another body 422, and 409 while the first request runs.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
