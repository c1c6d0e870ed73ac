import { domainError } from '../../common/errors/domain-error.js';
import { modelKeyText } from './model-keys.texts.js';

export class UnknownSpeechProviderError extends domainError(
  'not-found',
  modelKeyText('model_keys.unknown_provider'),
) {}

export class ModelKeyNotFoundError extends domainError('not-found', modelKeyText('model_keys.not_found')) {}
