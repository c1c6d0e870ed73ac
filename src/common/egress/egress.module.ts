import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SecurityConfig } from '../../config/config.js';
import { EgressClient } from './egress-client.js';

@Injectable()
class EgressLifetime implements OnApplicationShutdown {
  constructor(private readonly client: EgressClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }
}

/** The one way out of the platform, for every module. */
@Global()
@Module({
  providers: [
    EgressLifetime,
    {
      provide: EgressClient,
      useFactory: ({ egressAllowCidrs }: SecurityConfig) =>
        new EgressClient({ allowCidrs: egressAllowCidrs }),
      inject: [SecurityConfig],
    },
  ],
  exports: [EgressClient],
})
export class EgressModule {}
