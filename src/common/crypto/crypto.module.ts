import { type DynamicModule, Module } from '@nestjs/common';
import { SecretBox } from './secret-box.js';

@Module({})
export class CryptoModule {
  static of(keys: readonly string[]): DynamicModule {
    return {
      module: CryptoModule,
      global: true,
      providers: [{ provide: SecretBox, useValue: new SecretBox(keys) }],
      exports: [SecretBox],
    };
  }
}
