import { describe, expect, it } from '@jest/globals';
import { errorHeaderOf } from './error-header.js';

describe('The header that names an error', () => {
  it('carries the key alone where a text has no parameters', () => {
    expect(errorHeaderOf({ key: 'calls.not_found' })).toBe('calls.not_found');
  });

  it('carries parameters in the form of a query', () => {
    expect(errorHeaderOf({ key: 'tools.limit', params: { limit: 5 } })).toBe('tools.limit?limit=5');
  });

  it('stays one line of ASCII whatever a caller has put into a parameter', () => {
    const name = 'São Paulo\r\nSet-Cookie: a=b\ud800, ok & "so"';
    const header = errorHeaderOf({ key: 'validation.exists', params: { field: name } });
    expect(header).toMatch(/^[\x21-\x7e]+$/);
    expect(new URLSearchParams(header.slice(header.indexOf('?'))).get('field')).toBe(
      name.replace('\ud800', '\ufffd'),
    );
  });

  it('leaves out parameters that are too long for a header', () => {
    expect(errorHeaderOf({ key: 'leads.unknown_fields', params: { fields: 'x'.repeat(2_000) } })).toBe(
      'leads.unknown_fields',
    );
  });
});
