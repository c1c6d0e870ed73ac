import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { Logger } from '../../common/observability/logger.js';
import { EncryptionKeysRepository } from './encryption-keys.repository.js';

/** A key that a process seals with is recorded again after this time, so that an id that was removed comes back. */
export const RECORD_EVERY_MS = 60_000;

/** Records the key that this process seals with, from its first seal on. */
@Injectable()
export class KeyUseService implements OnModuleInit {
  private recordedAtMs = -Infinity;

  constructor(
    private readonly box: SecretBox,
    private readonly keys: EncryptionKeysRepository,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.box.onSeal = (keyId) => this.record(keyId);
  }

  private record(keyId: string): void {
    const nowMs = performance.now();
    if (nowMs - this.recordedAtMs < RECORD_EVERY_MS) return;
    this.recordedAtMs = nowMs;
    this.keys.recordUse(keyId).catch((err: unknown) => {
      // The next seal tries again.
      this.recordedAtMs = -Infinity;
      this.logger.warn('use of the encryption key not recorded', { err });
    });
  }
}
