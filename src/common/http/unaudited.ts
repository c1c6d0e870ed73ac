import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

export const UNAUDITED = 'prosa:unaudited';

export type IsUnaudited = (request: Request) => boolean;

/**
 * A route without a change that the audit log should record, such as the notice that a person is typing.
 *
 * @param when which of its requests change nothing; all when left out
 */
export const Unaudited = (when: IsUnaudited = () => true) => SetMetadata(UNAUDITED, when);
