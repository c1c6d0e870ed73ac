import { Module } from '@nestjs/common';
import { OidcConfig } from '../../config/config.js';
import { NoOidcProvider } from './no-oidc-provider.js';
import { OidcProvider } from './oidc-provider.js';
import { OpenidClientProvider } from './openid-client-provider.js';

@Module({
  providers: [
    {
      provide: OidcProvider,
      useFactory: ({ provider }: OidcConfig) =>
        provider ? new OpenidClientProvider(provider) : new NoOidcProvider(),
      inject: [OidcConfig],
    },
  ],
  exports: [OidcProvider],
})
export class OidcModule {}
