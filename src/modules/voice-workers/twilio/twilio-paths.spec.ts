import { describe, expect, it } from '@jest/globals';
import { twilioPathOf } from './twilio-paths.js';

const PROCESS = '3f0c2f9e-5d1f-4b44-9f5c-0a8f4f1d2c3b';
const ACCOUNT = '7b1d8e52-6a0e-4c55-8e0d-1b9e5a2e3d4c';

describe('twilioPathOf', () => {
  it.each([
    ['/twilio/voice', { kind: 'voice', account: null }],
    [`/twilio/accounts/${ACCOUNT}/voice`, { kind: 'voice', account: ACCOUNT }],
    [`/twilio/${PROCESS}/media`, { kind: 'media', processId: PROCESS, account: null }],
    [
      `/twilio/${PROCESS}/accounts/${ACCOUNT}/calls/a%20b`,
      { kind: 'callback', processId: PROCESS, account: ACCOUNT },
    ],
  ])('reads %s', (path, expected) => {
    expect(twilioPathOf(path)).toEqual(expected);
  });

  it.each([
    undefined,
    '/twilio/media',
    `/twilio/${PROCESS}/voice`,
    `/twilio/${'-'.repeat(36)}/media`,
    `/twilio/${'0'.repeat(36)}/calls/a`,
    `/twilio/${PROCESS}/media?x`,
    `/twilio/accounts/${'-'.repeat(36)}/voice`,
  ])('takes %s for nothing of its own', (path) => {
    expect(twilioPathOf(path)).toBeNull();
  });
});
