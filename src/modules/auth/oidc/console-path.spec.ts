import { describe, expect, it } from '@jest/globals';
import { consolePathOf } from './console-path.js';

describe('the path after a sign-in', () => {
  it.each(['/app', '/app/inbox?status=open#42', '/app/calls'])('%s', (path) => {
    expect(consolePathOf(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'https://evil.example/app',
    '//evil.example/app',
    '/app.evil.example',
    '/app@evil.example',
    '/app/../..//evil.example',
    '/app\\..\\evil.example',
    '/\\evil.example',
    '/app/\n/evil.example',
    '/api/auth/logout',
    'javascript:alert(1)',
  ])('%j is the first page', (path) => {
    expect(consolePathOf(path)).toBe('/app');
  });
});
