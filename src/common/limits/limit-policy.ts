import type { LimitsConfig } from '../../config/config.js';

/**
 * What is counted. `login` is one e-mail tried from one address, `credentials` everything one address tries, `voice-sample` what
 * one account has spoken.
 */
export const LIMIT_NAMES = [
  'address',
  'key',
  'conversation',
  'login',
  'credentials',
  'voice-sample',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** So many requests a window for each subject; the window begins with the subject's first request. */
export interface LimitPolicy {
  readonly name: LimitName;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Far above what a person mistypes, far below what guessing needs: a check of a password costs tens of milliseconds. */
const LOGINS_PER_MINUTE = 10;
const CREDENTIAL_CHECKS_PER_MINUTE = 30;

/** Far above what a person listens to: each sample may cost the installation a request to a vendor. */
const VOICE_SAMPLES_PER_MINUTE = 20;

const MINUTE_SECONDS = 60;

export function limitPoliciesOf(config: LimitsConfig): readonly LimitPolicy[] {
  const quotas: Readonly<Record<LimitName, number>> = {
    address: config.perAddressPerMinute,
    key: config.perKeyPerMinute,
    conversation: config.perConversationPerMinute,
    login: LOGINS_PER_MINUTE,
    credentials: CREDENTIAL_CHECKS_PER_MINUTE,
    'voice-sample': VOICE_SAMPLES_PER_MINUTE,
  };
  return LIMIT_NAMES.map((name) => ({ name, quota: quotas[name], windowSeconds: MINUTE_SECONDS }));
}
