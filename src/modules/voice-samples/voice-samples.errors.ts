import { DomainError, domainError } from '../../common/errors/domain-error.js';
import { text } from '../../i18n/catalogue.js';
import type { UnavailableReason } from '../../providers/speech/speech-options.js';
import { voiceSamplesTexts } from './voice-samples.texts.js';

export class VoiceNotFoundError extends domainError(
  'not-found',
  voiceSamplesTexts('voice_samples.not_found'),
) {}

/** The voice cannot speak a sample with the keys of the account and of the installation, or at all. */
export class NoVoiceSampleError extends DomainError {
  readonly kind = 'conflict';

  constructor(reason: UnavailableReason | 'only_in_calls') {
    super(text(voiceSamplesTexts(`voice_samples.${reason}`)));
  }
}

/** The provider failed, or rests after a failure. */
export class VoiceSampleFailedError extends DomainError {
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 30;

  constructor(cause?: unknown) {
    super(text(voiceSamplesTexts('voice_samples.not_spoken')), { cause });
  }
}

export class NoSampleProcessError extends domainError(
  'unavailable',
  voiceSamplesTexts('voice_samples.no_process'),
) {
  override readonly retryAfterSeconds = 10;
}
