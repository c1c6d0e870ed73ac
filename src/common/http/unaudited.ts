import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

export const UNAUDITED = 'prosa:unaudited';

export type IsUnaudited = (request: Request) => boolean;

/**
 * A route that changes nothing worth a line of the audit log, such as that somebody is typing.
 *
 * @param when which of its requests change nothing; all when left out
 */
export const Unaudited = (when: IsUnaudited = () => true) => SetMetadata(UNAUDITED, when);
