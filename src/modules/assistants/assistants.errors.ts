import { domainError } from '../../common/errors/domain-error.js';

export class AssistantNotFoundError extends domainError('not-found', 'assistants.not_found') {}

export class PromptNotFoundError extends domainError('not-found', 'assistants.prompt_not_found') {}
