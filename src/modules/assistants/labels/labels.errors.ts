import { domainError } from '../../../common/errors/domain-error.js';

export class LabelNotFoundError extends domainError('not-found', 'labels.not_found') {}
