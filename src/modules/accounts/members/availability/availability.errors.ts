import { domainError } from '#src/common/errors/domain-error.js';

/** The caller is an API key. */
export class PersonRequiredError extends domainError('forbidden', 'members.person_required') {}
