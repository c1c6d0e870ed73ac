/** The keys of this process are not those of the database. The message is a complete sentence for the operator. */
export class EncryptionKeyError extends Error {
  override readonly name = 'EncryptionKeyError';
}
