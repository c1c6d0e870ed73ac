import { Module } from '@nestjs/common';
import { SpeechProviderRegistry } from './speech-provider-registry.js';

@Module({
  providers: [SpeechProviderRegistry],
  exports: [SpeechProviderRegistry],
})
export class SpeechModule {}
