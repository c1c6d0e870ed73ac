import { applyDecorators, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { ReplayedAnswerFilter } from './replayed-answer.js';

/**
 * Takes an `Idempotency-Key`: for a day, the same request with the same key gets the first answer instead of another
 * effect. The answer is kept in the database: not for routes that answer with a secret. The service makes its effect
 * through `IdempotentEffectService`, so that a request whose process died, or which lost its connection to the database,
 * may run again. On a route that receives a file, place it above the interceptor that does so.
 */
export const Idempotent = () =>
  applyDecorators(
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
