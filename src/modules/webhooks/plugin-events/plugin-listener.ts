import type { Type } from '@nestjs/common';

/** An event of the product, as the handler of a plugin gets it. */
export interface HeardEvent {
  /** The same for every attempt, and the `webhook-id` of the webhooks of the event. */
  readonly id: string;
  readonly type: string;
  /** The account. */
  readonly userId: number;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** As webhook endpoints get it. */
  readonly data: unknown;
}

/** A class, or the token of settings. */
export type ProviderToken<T> = Type<T> | (abstract new (...args: never[]) => T) | symbol;

/** What a handler is given besides the event. */
export interface HandlerContext {
  /** 1 for the first run of the handler for this event. */
  readonly attempt: number;
  /** Fires when the time of the attempt is over, and once the handler has finished. */
  readonly signal: AbortSignal;
  /** A provider of the plugin's module, or of `prosa/plugin`. */
  get<T>(provider: ProviderToken<T>): T;
}

/** A handler of a plugin with the kind of event that it handles. */
export interface PluginListener {
  readonly plugin: string;
  readonly kind: string;
  handle(event: HeardEvent, context: HandlerContext): unknown;
}

/** Injection token of the listeners of all plugins. */
export const PLUGIN_LISTENERS = Symbol('event listeners of plugins');
