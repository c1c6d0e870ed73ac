import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Language, LANGUAGES } from '../../../i18n/text.js';
import { EnumField } from '../fields.js';

/**
 * In which language a person reads an answer: as the query says, else as the browser does, else Portuguese. For texts that
 * come with data; messages and errors are in the language of their family of routes. A route that uses it declares the query
 * as {@link ReaderLanguageQuery}.
 */
export const ReaderLanguage = createParamDecorator((_data: unknown, context: ExecutionContext): Language => {
  const request = context.switchToHttp().getRequest<Request>();
  const asked = LANGUAGES.find((language) => language === request.query['language']);
  const preferred = request.acceptsLanguages([...LANGUAGES]);
  return asked ?? LANGUAGES.find((language) => language === preferred) ?? 'pt';
});

/** The query of a route whose answer is read in the language of a person. */
export class ReaderLanguageQuery {
  @EnumField(LANGUAGES, {
    optional: true,
    description:
      'Of the reasons; without it `Accept-Language` decides, and without that they are in Portuguese',
  })
  declare language?: Language;
}
