import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { checkPlugin } from './check-plugin.js';
import { definePlugin } from './plugin.js';
import { defineSettings, valuesOf } from './plugin-settings.js';

class LoyaltyModule {}

const settings = defineSettings(
  z.object({ LOYALTY_POINTS: z.coerce.number().int().min(1).default(10), LOYALTY_URL: z.url() }),
);

describe('the settings of a plugin', () => {
  it('are read from the environment, with the defaults of their schema', () => {
    const url = 'https://crm.example';
    expect(valuesOf('loyalty', settings, { LOYALTY_URL: url, LOYALTY_POINTS: '' })).toEqual({
      LOYALTY_POINTS: 10,
      LOYALTY_URL: url,
    });
    expect(valuesOf('loyalty', settings, { LOYALTY_URL: url, LOYALTY_POINTS: '7', HOME: '/' })).toEqual({
      LOYALTY_POINTS: 7,
      LOYALTY_URL: url,
    });
  });

  it('that are wrong are one sentence with the name of each variable', () => {
    expect(() => valuesOf('loyalty', settings, { LOYALTY_POINTS: '0' })).toThrow(
      /^The plugin loyalty has settings that cannot be used: LOYALTY_POINTS \(.+\), LOYALTY_URL \(.+\)\. Set these variables/,
    );
  });

  it('have names that begin with that of the plugin', () => {
    const plugin = { prosa: '*', module: LoyaltyModule, settings };
    expect(() => checkPlugin(definePlugin({ name: 'loyalty', ...plugin }))).not.toThrow();
    expect(() => checkPlugin(definePlugin({ name: 'shop-cards', ...plugin }))).toThrow(
      'The plugin shop-cards names a setting LOYALTY_POINTS: have it begin with SHOP_CARDS_.',
    );
  });
});
