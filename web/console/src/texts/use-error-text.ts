import { useCallback } from 'react';
import { ApiError } from '../api/api-error.js';
import { type Texts, useTexts } from './texts.js';

/** An error in words for the reader: those of the server, else what its status means. */
export function useErrorText(): (error: unknown) => string {
  const { errors } = useTexts('common');
  return useCallback(
    (error: unknown) => {
      if (!(error instanceof ApiError)) return errors.unexpected;
      return error.text || byStatus(error.status, errors);
    },
    [errors],
  );
}

/** What is wrong with each field of a form: `form.setErrors(fieldErrors(error))`. */
export function useFieldErrors(): (error: unknown) => Record<string, string> {
  const { field } = useTexts('common').errors;
  return useCallback(
    (error: unknown) => {
      if (!(error instanceof ApiError)) return {};
      const entries = Object.entries(error.fields).map(([name, said]) => [name, said[0] ?? field]);
      return Object.fromEntries(entries) as Record<string, string>;
    },
    [field],
  );
}

function byStatus(status: number, errors: Texts['common']['errors']): string {
  const known: Record<number, string> = {
    0: errors.offline,
    403: errors.forbidden,
    404: errors.notFound,
    409: errors.conflict,
    422: errors.invalid,
    429: errors.tooMany,
    503: errors.offline,
  };
  return known[status] ?? (status >= 500 ? errors.server : errors.unexpected);
}
