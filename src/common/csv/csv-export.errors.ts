import { text } from '../../i18n/catalogue.js';
import { DomainError } from '../errors/domain-error.js';

/** More rows than one file may have. */
export class ExportTooLargeError extends DomainError {
  readonly kind = 'limit';

  constructor(rows: number, max: number) {
    super(text('http.export_too_large', { rows, max }));
  }
}

export class TooManyExportsError extends DomainError {
  readonly kind = 'too-many';
  override readonly retryAfterSeconds = 10;

  constructor(max: number) {
    super(text('http.too_many_exports', { max }));
  }
}
