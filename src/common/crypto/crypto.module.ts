import { type DynamicModule, Module } from '@nestjs/common';
import { InternalToken } from './internal-token.js';
import { LinkSigner } from './link-signer.js';
import { SecretBox } from './secret-box.js';
import { SpokenCodes } from './spoken-codes.js';

@Module({})
export class CryptoModule {
  static of(keys: readonly string[]): DynamicModule {
    return {
      module: CryptoModule,
      global: true,
      providers: [
        { provide: SecretBox, useValue: new SecretBox(keys) },
        { provide: InternalToken, useValue: new InternalToken(keys) },
        { provide: LinkSigner, useValue: new LinkSigner(keys) },
        { provide: SpokenCodes, useValue: new SpokenCodes(keys) },
      ],
      exports: [InternalToken, LinkSigner, SecretBox, SpokenCodes],
    };
  }
}
