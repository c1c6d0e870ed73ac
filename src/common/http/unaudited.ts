import { SetMetadata } from '@nestjs/common';

export const UNAUDITED = 'prosa:unaudited';

/** A route that changes nothing worth a line of the audit log, such as that somebody is typing. */
export const Unaudited = () => SetMetadata(UNAUDITED, true);
