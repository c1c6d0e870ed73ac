import { describe, expect, it } from '@jest/globals';
import { describeNumberCarrierConformance } from '#test/conformance/number-carrier.conformance.js';
import { SandboxNumberCarrier } from './sandbox-number-carrier.js';

describeNumberCarrierConformance('SandboxNumberCarrier', {
  carrier: () => new SandboxNumberCarrier(),
  foreignNumber: '+33123456789',
});

describe('SandboxNumberCarrier', () => {
  it('lets numbers of the regulators for fiction where there are any', async () => {
    const carrier = new SandboxNumberCarrier();
    const offered = async (countryCode: string) =>
      (await carrier.searchNumbers({ countryCode, limit: 1_000 })).map(({ e164 }) => e164);
    const fictional = {
      AU: /^\+61(2|3)(5550|7010)\d{4}$/,
      CA: /^\+1\d{3}55501\d\d$/,
      DE: /^\+49(3023125|8999998)\d{3}$/,
      GB: /^\+44(207946|161496)0\d{3}$/,
      US: /^\+1\d{3}55501\d\d$/,
    };
    for (const [countryCode, range] of Object.entries(fictional)) {
      const numbers = await offered(countryCode);
      expect(numbers).toHaveLength(200);
      expect(numbers.filter((e164) => !range.test(e164))).toEqual([]);
    }
  });

  it('offers nothing in a country it does not know', async () => {
    const carrier = new SandboxNumberCarrier();
    expect(await carrier.searchNumbers({ countryCode: 'constructor', limit: 5 })).toEqual([]);
  });
});
