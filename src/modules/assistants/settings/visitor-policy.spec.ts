import { describe, expect, it } from '@jest/globals';
import { alertUrlOf, visitorPolicyOf } from './visitor-policy.js';

const CALLS = 'https://example.com/calls';
const CHATS = 'https://example.com/chats';

describe('where events about limits go', () => {
  it.each([
    [true, CALLS, CHATS, CALLS],
    [true, CALLS, null, CALLS],
    [true, null, CHATS, CHATS],
    [false, CALLS, CHATS, CHATS],
    [false, CALLS, null, null],
  ])(
    'with the webhook of calls %p at %s and that of conversations at %s: %s',
    (active, calls, chats, expected) => {
      expect(
        alertUrlOf({ is_webhook_active: active, webhook_url: calls, conversation_ended_webhook_url: chats }),
      ).toBe(expected);
    },
  );
});

describe('what visitors of an assistant may do', () => {
  it('is what its owner has set', () => {
    const config = {
      visitor_conversations_per_hour: 1,
      visitor_conversations_per_address_per_hour: 2,
      visitor_messages_per_hour: 3,
      visitor_daily_spend: 4.5,
      allowed_origins: ['https://example.com'],
      challenge_required: true,
      web_chat_enabled: false,
      visitor_calls_enabled: false,
      is_webhook_active: true,
      webhook_url: CALLS,
      conversation_ended_webhook_url: null,
    } as unknown as Parameters<typeof visitorPolicyOf>[0]['config'];
    expect(visitorPolicyOf({ id: 5, userId: 6, uuid: 'uuid', name: 'Recepção', config })).toEqual({
      userId: 6,
      assistantId: 5,
      assistantUuid: 'uuid',
      assistantName: 'Recepção',
      conversationsPerHour: 1,
      conversationsPerAddressPerHour: 2,
      messagesPerHour: 3,
      dailySpend: 4.5,
      allowedOrigins: ['https://example.com'],
      challengeRequired: true,
      answersOnSite: false,
      callsEnabled: false,
      alertUrl: CALLS,
    });
  });
});
