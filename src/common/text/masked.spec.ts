import { describe, expect, it } from '@jest/globals';
import { masked } from './masked.js';

describe('a masked secret', () => {
  it('shows the last four characters of a key, and none of a short one', () => {
    expect(masked('cal_live_0123456789')).toBe('••••6789');
    expect(masked('short')).toBe('••••');
  });
});
