import { DomainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';
import { modelKeyText } from './model-keys.texts.js';

export class UnknownSpeechProviderError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text(modelKeyText('model_keys.unknown_provider')));
  }
}

export class ModelKeyNotFoundError extends DomainError {
  readonly kind = 'not-found';

  constructor() {
    super(text(modelKeyText('model_keys.not_found')));
  }
}
