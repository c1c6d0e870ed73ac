import { describe, expect, it } from '@jest/globals';
import { Call } from '../calls/call.entity.js';
import { callWebhookPayload } from './call-webhook-payload.js';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const NO_ORIGIN = { lead: null, campaign: null };

const CALL = Object.assign(new Call(), { id: 7, createdAt: NOW, updatedAt: NOW });

describe('the body of a call webhook', () => {
  it.each([
    ['its address', 'https://files.example.com/7.ogg'],
    ['null where nothing was recorded', null],
  ])('names the recording where the assistant sends recordings: %s', (_title, url) => {
    expect(callWebhookPayload(CALL, NO_ORIGIN, { url })).toHaveProperty('recording_url', url);
  });

  it('does not name it where include_recording_in_webhook is off', () => {
    expect(callWebhookPayload(CALL, NO_ORIGIN, null)).not.toHaveProperty('recording_url');
  });
});
