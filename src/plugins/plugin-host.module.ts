import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../modules/accounts/accounts.module.js';
import { CATALOG_CONTRIBUTIONS } from '../modules/catalog/catalog-additions.js';
import { WebhooksModule } from '../modules/webhooks/webhooks.module.js';
import { AccountInfoService } from './account-info.service.js';
import { WebhookEventsService } from './webhook-events.service.js';
import type { Plugin } from './plugin.js';

/** What plugins are given of the product's modules, each behind a narrow class of its own. */
@Module({})
export class PluginHostModule {
  static of(plugins: readonly Plugin[]): DynamicModule {
    const contributions = plugins.flatMap(({ name, catalog }) =>
      catalog ? [{ plugin: name, additions: catalog }] : [],
    );
    return {
      module: PluginHostModule,
      global: true,
      imports: [AccountsModule, WebhooksModule],
      providers: [
        AccountInfoService,
        WebhookEventsService,
        { provide: CATALOG_CONTRIBUTIONS, useValue: contributions },
      ],
      exports: [AccountInfoService, WebhookEventsService, CATALOG_CONTRIBUTIONS],
    };
  }
}
