/** Of which a backup of 0.3.0 has none. */
export const KEYS_TABLE = 'encryption_keys';

/** SQL for a database that a backup has just filled without the secrets of other keys. `$1`: ids of the keys that are here. */
export const FORGET_LOST_KEYS = 'DELETE FROM encryption_keys WHERE id <> ALL($1::text[])';
