import { Module } from '@nestjs/common';
import { EncryptionKeysRepository } from './encryption-keys.repository.js';
import { KeyUseService } from './key-use.service.js';

@Module({ providers: [EncryptionKeysRepository, KeyUseService] })
export class EncryptionKeysModule {}
