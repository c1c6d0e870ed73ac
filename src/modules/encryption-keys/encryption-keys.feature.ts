import type { Feature } from '../../feature.js';
import { EncryptionKeysModule } from './encryption-keys.module.js';

export const encryptionKeysFeature: Feature = { module: EncryptionKeysModule };
