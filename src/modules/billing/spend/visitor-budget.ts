/** Limits on visitors, as alerts and metrics name them. */
export const VISITOR_LIMIT_NAMES = [
  'conversations_per_address_per_hour',
  'conversations_per_hour',
  'messages_per_hour',
  'daily_spend_per_assistant',
  'daily_spend_per_account',
] as const;
export type VisitorLimitName = (typeof VISITOR_LIMIT_NAMES)[number];

/** Limits whose value is money. */
export const SPEND_LIMITS: readonly VisitorLimitName[] = [
  'daily_spend_per_assistant',
  'daily_spend_per_account',
];

/** What the visitors of one assistant may use up. */
export interface VisitorBudget {
  readonly assistantId: number;
  readonly messagesPerHour: number;
  readonly dailySpendMicros: number;
}
