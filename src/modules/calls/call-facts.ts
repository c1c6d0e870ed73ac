import type { TokenSum } from '../../common/figures/token-sum.js';
import type { Call } from './call.entity.js';

/** A call as it is on record, for modules other than `calls`. */
export type StoredCall = Readonly<Call>;

/** What is known of a call when it begins; its id where that was reserved. */
export type NewCall = Pick<Call, 'userId' | 'assistantName' | 'type'> &
  Partial<
    Pick<
      Call,
      | 'id'
      | 'assistantId'
      | 'campaignId'
      | 'campaignName'
      | 'leadId'
      | 'attemptId'
      | 'carrier'
      | 'assistantPhoneNumber'
      | 'clientPhoneNumber'
      | 'inputVariables'
      | 'variables'
      | 'recordingEnabled'
      | 'routing'
    >
  >;

/** Who talks to a caller who has waited; the routing alone where no assistant does. */
export type CallAnswerer = Pick<Call, 'routing'> &
  Partial<Pick<Call, 'assistantId' | 'assistantName' | 'recordingEnabled'>>;

/** What becomes known of a call while it moves; times and durations only where the database's own clock does not know. */
export type CallFacts = Partial<
  Pick<
    Call,
    | 'answeredAt'
    | 'answeredBy'
    | 'gatekeeper'
    | 'endReason'
    | 'durationSeconds'
    | 'transcript'
    | 'quality'
    | 'variables'
    | 'evaluation'
    | 'webhookResponse'
    | 'dialInDoubt'
    | 'carrierCostMicros'
    | 'aiCostMicros'
  >
> & {
  /** To be added to those that are on record. */
  readonly tokens?: TokenSum;
};

/** Where an outbound call came from, as webhooks tell it; ISO 8601 in UTC. */
export interface CallOrigin {
  readonly lead: Readonly<Record<string, unknown>> | null;
  readonly campaign: Readonly<Record<string, unknown>> | null;
}
