import { DomainError, text } from 'prosa/plugin';
import { appointmentsTexts as t } from './appointments.texts.js';

export class AppointmentNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text(t('appointments.not_found')));
  }
}
