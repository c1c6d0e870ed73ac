import type { SecretPlace } from '../../common/crypto/secret-box.js';

/** Where the number of an erasure is sealed. */
export function phoneNumberPlace(userId: number, erasureId: number): SecretPlace {
  return { userId, column: 'erasures.phone_number', rowId: erasureId };
}
