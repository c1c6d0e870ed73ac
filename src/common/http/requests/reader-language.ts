import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Language, LANGUAGES } from '../../../i18n/text.js';

const QUERY = 'language';

/**
 * In which language a person reads an answer: as the query says, else as the browser does, else Portuguese. For texts that
 * come with data; messages and errors are in the language of their family of routes.
 */
export const ReaderLanguage = createParamDecorator((_data: unknown, context: ExecutionContext): Language => {
  const request = context.switchToHttp().getRequest<Request>();
  const asked = LANGUAGES.find((language) => language === request.query[QUERY]);
  const preferred = request.acceptsLanguages([...LANGUAGES]);
  return asked ?? LANGUAGES.find((language) => language === preferred) ?? 'pt';
});

export const ApiReaderLanguage = () =>
  ApiQuery({
    name: QUERY,
    required: false,
    enum: [...LANGUAGES],
    description: 'Of the reasons; without it `Accept-Language` decides, and without that they are in Portuguese',
  });
