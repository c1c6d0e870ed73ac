import { domainError } from '../../common/errors/domain-error.js';

export class OriginNotAllowedError extends domainError('forbidden', 'visitors.origin_not_allowed') {}

export class ChallengeRequiredError extends domainError('forbidden', 'visitors.challenge_required') {}

export class ChallengeInvalidError extends domainError('forbidden', 'visitors.challenge_invalid') {}
