import { describe, expect, it } from '@jest/globals';
import { announcerTo } from './announcer.js';

describe('What a process announces', () => {
  const written = (isTTY: boolean, environment: NodeJS.ProcessEnv) => {
    let text = '';
    const write = (part: unknown) => {
      text += String(part);
      return true;
    };
    announcerTo({ isTTY, write }, environment)('\n  Prosa is ready\n  API  http://localhost:3000/api\n');
    return text;
  };

  it('is one line of JSON in production without a terminal', () => {
    const text = written(false, { NODE_ENV: 'production' });
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(JSON.parse(text)).toEqual({
      level: 30,
      time: expect.any(Number),
      msg: 'Prosa is ready\n  API  http://localhost:3000/api',
    });
  });

  it.each([
    ['at a terminal', true, { NODE_ENV: 'production' }],
    ['outside production', false, {}],
  ])('is text %s', (_where, isTTY, environment) => {
    expect(written(isTTY, environment)).toBe('\n  Prosa is ready\n  API  http://localhost:3000/api\n\n');
  });
});
