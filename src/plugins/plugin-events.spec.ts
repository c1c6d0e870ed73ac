import { describe, expect, it } from '@jest/globals';
import { ACCOUNT_EVENTS } from '../modules/webhooks/webhook-kinds.js';
import { checkListeners, listenersOf, type PluginEventHandlers } from './plugin-events.js';

const handle = () => Promise.resolve();

describe('the event handlers of a plugin', () => {
  it('are listed with the plugin and the kind of event', () => {
    const plugins = [
      { name: 'crm', on: { 'call.ended': handle, 'call.started': handle } },
      { name: 'loyalty', on: { 'call.ended': handle } },
      { name: 'quiet' },
    ];
    expect(listenersOf(plugins)).toEqual([
      { plugin: 'crm', kind: 'call.ended', handle },
      { plugin: 'crm', kind: 'call.started', handle },
      { plugin: 'loyalty', kind: 'call.ended', handle },
    ]);
  });

  it('are refused for an event that Prosa does not have, with a sentence that lists the known events', () => {
    const plugin = { name: 'crm', on: { 'call.finished': handle } as PluginEventHandlers };
    expect(() => checkListeners(plugin, ACCOUNT_EVENTS)).toThrow(
      /^The plugin crm listens to the event call\.finished, which Prosa does not have: use one of call\.started, call\.status-changed, call\.ended, .*limit\.reached.*\.$/,
    );
    expect(() => checkListeners({ name: 'crm', on: { 'call.ended': handle } }, ACCOUNT_EVENTS)).not.toThrow();
  });

  it('are refused when they are no function', () => {
    const plugin = { name: 'crm', on: { 'call.ended': 'yes' } as unknown as PluginEventHandlers };
    expect(() => checkListeners(plugin, ACCOUNT_EVENTS)).toThrow(
      'The plugin crm has no function for the event call.ended: give `on` a function for each event.',
    );
  });
});
