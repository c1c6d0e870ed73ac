import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';

export class AssistantNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('assistants.not_found'));
  }
}

export class PromptNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text('assistants.prompt_not_found'));
  }
}
