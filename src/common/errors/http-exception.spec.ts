import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ConflictException,
  HttpException,
  NotFoundException,
  PayloadTooLargeException,
  UnauthorizedException,
  UnprocessableEntityException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Logger } from '../observability/logger.js';
import { ErrorFilter } from './error-filter.js';

interface Answer {
  status: number;
  body: unknown;
}

function answerOf(exception: unknown, originalUrl = '/api/user/cards/7'): Answer {
  const answer: Answer = { status: 0, body: undefined };
  const response = {
    hasHeader: () => true,
    setHeader: () => undefined,
    status: (status: number) => {
      answer.status = status;
      return response;
    },
    json: (body: unknown) => {
      answer.body = body;
    },
  } as unknown as Response;
  const request = { originalUrl, headers: {}, method: 'GET', res: response } as unknown as Request;
  const http = { getRequest: () => request, getResponse: () => response };
  new ErrorFilter(Logger.create('fatal')).catch(exception, { switchToHttp: () => http } as never);
  return answer;
}

describe('an HttpException', () => {
  it.each<[HttpException, number, string]>([
    [new ConflictException('Busy'), 409, 'Busy'],
    [new NotFoundException('Card not found'), 404, 'Card not found'],
    [new BadRequestException('bad thing'), 400, 'bad thing'],
    [new BadRequestException(['one', 'two']), 400, 'one, two'],
    [new UnprocessableEntityException({ message: 'No', code: 7 }), 422, 'No'],
    [new HttpException('Gone for good', 410), 410, 'Gone for good'],
    [new HttpException('Slow down', 429), 429, 'Slow down'],
    [new HttpException('Pay first', 402), 402, 'Pay first'],
    [new HttpException('Upstream failed', 502), 502, 'Upstream failed'],
    [new ConflictException('Busy', { cause: new Error('lock') }), 409, 'Busy'],
  ])('keeps its status and words: %p', (exception, status, message) => {
    expect(answerOf(exception)).toEqual({ status, body: { message } });
  });

  it('keeps its words in the shape of the family of routes', () => {
    const thrown = new NotFoundException('Card not found');
    expect(answerOf(thrown, '/api/conversations/x').body).toEqual({ status: false, error: 'Card not found' });
    expect(answerOf(thrown, '/api/user/knowledgebases/1').body).toEqual({ error: 'Card not found' });
  });

  it('without words of its own has the text of the catalogue, or the name of its status', () => {
    expect(answerOf(new NotFoundException())).toEqual({
      status: 404,
      body: { message: 'Rota não encontrada' },
    });
    expect(answerOf(new UnauthorizedException()).body).toEqual({ message: 'Não autorizado' });
    expect(answerOf(new ConflictException())).toEqual({ status: 409, body: { message: STATUS_CODES[409] } });
  });

  it('of the framework itself has the text of the catalogue', () => {
    expect(answerOf(new NotFoundException('Cannot GET /api/user/cards')).body).toEqual({
      message: 'Rota não encontrada',
    });
    const parsed = new SyntaxError('Unexpected token');
    expect(answerOf(new BadRequestException(parsed.message, { cause: parsed })).body).toEqual({
      message: 'O corpo da requisição não é um JSON válido',
    });
    const large = Object.assign(new Error('request entity too large'), { expose: true, status: 413 });
    expect(answerOf(new PayloadTooLargeException(large.message, { cause: large })).body).toEqual({
      message: 'O corpo da requisição é grande demais',
    });
  });
  it('of an upload that cannot be read has the text of the catalogue', () => {
    const files = '/api/user/knowledgebases/1/documents';
    const cut = new Error('Unexpected end of form');
    expect(answerOf(new BadRequestException(`Multipart: ${cut.message}`, { cause: cut }), files)).toEqual({
      status: 400,
      body: { message: 'Requisição inválida' },
    });
    const large = Object.assign(new Error('File too large'), { name: 'MulterError' });
    expect(answerOf(new PayloadTooLargeException(large.message, { cause: large }), files)).toEqual({
      status: 413,
      body: { message: 'O corpo da requisição é grande demais' },
    });
  });
});
