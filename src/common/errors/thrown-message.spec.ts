import { describe, expect, it } from '@jest/globals';
import { thrownMessage } from './thrown-message.js';

class CloseEvent {
  readonly code = 1006;
}

describe('thrownMessage', () => {
  it.each<[unknown, string]>([
    [new Error('quota exceeded'), 'quota exceeded'],
    [new TypeError(''), 'TypeError'],
    ['refused', 'refused'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ message: 'insufficient_quota', code: 401 }, 'insufficient_quota'],
    [{ type: 'tts_error', error: new Error('429') }, '429'],
    [{ error: { error: { message: 'deep' } } }, 'deep'],
    [{ said: 'CANARY' }, 'Object without a message'],
    [new CloseEvent(), 'CloseEvent without a message'],
    [Object.create(null), 'Object without a message'],
  ])('words %p', (thrown, message) => {
    expect(thrownMessage(thrown)).toBe(message);
  });

  it('comes to an end with an error that is its own cause', () => {
    const event: { error?: unknown } = {};
    event.error = event;
    expect(thrownMessage(event)).toBe('Object without a message');
  });
});
