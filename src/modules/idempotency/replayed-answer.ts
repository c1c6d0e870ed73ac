import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Answer } from './idempotency.service.js';

/** Ends a request with an answer given before. Thrown, because an interceptor cannot set the status of a return. */
export class ReplayedAnswer extends Error {
  constructor(readonly answer: Answer) {
    super('the answer of an earlier request');
  }
}

@Catch(ReplayedAnswer)
export class ReplayedAnswerFilter implements ExceptionFilter<ReplayedAnswer> {
  catch({ answer }: ReplayedAnswer, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    response.setHeader('Idempotent-Replayed', 'true');
    response.status(answer.status).type('application/json').send(answer.body);
  }
}
