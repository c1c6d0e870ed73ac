import { describe, expect, it } from '@jest/globals';
import { Logger } from './logger.js';
import { prettyLines } from './pretty-line.js';

describe('the log on a terminal', () => {
  function written(write: (logger: Logger) => void): string {
    const format = prettyLines(false);
    let text = '';
    write(Logger.create('info', { write: (line) => (text += format(line)) }));
    return text;
  }

  it('is a line of time, level, message and fields', () => {
    const text = written((logger) => logger.info('migrations applied', { applied: 3 }));
    expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: migrations applied \{"applied":3\}\n$/);
  });

  it('says no more than the JSON would', () => {
    const text = written((logger) => logger.warn('refused', { token: 'prosa_secret' }));
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('prosa_secret');
  });
});
