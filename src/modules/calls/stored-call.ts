import type { Call } from './call.entity.js';

/** A call as it is on record, for modules other than `calls`. */
export type StoredCall = Readonly<Call>;
