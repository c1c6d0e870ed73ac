import { Inject, Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { PLUGIN_LISTENERS, type PluginListener } from './plugin-listener.js';
import { PluginListenersRepository } from './plugin-listeners.repository.js';

/** An event of a plugin that does not listen any more waits this long for it to return. */
const KEPT_DAYS = 7;

/** Stores at the start which plugins listen to which events. Every process of an installation has the same plugins. */
@Injectable()
export class PluginListenersService implements OnModuleInit {
  constructor(
    private readonly repository: PluginListenersRepository,
    @Optional() @Inject(PLUGIN_LISTENERS) private readonly listeners: readonly PluginListener[] = [],
  ) {}

  onModuleInit(): Promise<void> {
    return this.repository.replace(this.listeners, KEPT_DAYS);
  }
}
