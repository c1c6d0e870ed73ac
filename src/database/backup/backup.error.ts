/** Why a backup or a restore does not go on. The message is a complete sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
