import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../modules/accounts/accounts.module.js';
import { CallsModule } from '../modules/calls/calls.module.js';
import { CATALOG_CONTRIBUTIONS } from '../modules/catalog/catalog-additions.js';
import { LeadsModule } from '../modules/leads/leads.module.js';
import { ADDED_PERSONAL_DATA } from '../modules/privacy/personal-data-sources.service.js';
import { PLUGIN_LISTENERS } from '../modules/webhooks/plugin-events/plugin-listener.js';
import { WebhooksModule } from '../modules/webhooks/webhooks.module.js';
import { AccountInfoService } from './account-info.service.js';
import { CallInfoService } from './call-info.service.js';
import { LeadInfoService } from './lead-info.service.js';
import { WebhookEventsService } from './webhook-events.service.js';
import { listenersOf } from './plugin-events.js';
import type { Plugin } from './plugin.js';
import { valuesOf } from './plugin-settings.js';

/** What plugins are given of the product's modules, each behind a narrow class of its own. */
@Module({})
export class PluginHostModule {
  static of(plugins: readonly Plugin[]): DynamicModule {
    const contributions = plugins.flatMap(({ name, catalog }) =>
      catalog ? [{ plugin: name, additions: catalog }] : [],
    );
    const settings = plugins.flatMap(({ name, settings: own }) =>
      own ? [{ provide: own.token, useValue: valuesOf(name, own) }] : [],
    );
    return {
      module: PluginHostModule,
      global: true,
      imports: [AccountsModule, CallsModule, LeadsModule, WebhooksModule],
      providers: [
        AccountInfoService,
        CallInfoService,
        LeadInfoService,
        WebhookEventsService,
        ...settings,
        { provide: CATALOG_CONTRIBUTIONS, useValue: contributions },
        { provide: PLUGIN_LISTENERS, useValue: listenersOf(plugins) },
        { provide: ADDED_PERSONAL_DATA, useValue: plugins.flatMap(({ personalData = [] }) => personalData) },
      ],
      exports: [
        AccountInfoService,
        CallInfoService,
        LeadInfoService,
        WebhookEventsService,
        CATALOG_CONTRIBUTIONS,
        PLUGIN_LISTENERS,
        ADDED_PERSONAL_DATA,
        ...settings.map(({ provide }) => provide),
      ],
    };
  }
}
