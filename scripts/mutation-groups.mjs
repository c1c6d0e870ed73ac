/** The share of planted faults, in percent, that the specs of each group must notice. */
export const MIN_SCORE = 90;

const calls = 'src/modules/calls';
const activeCalls = 'src/modules/active-calls';
const campaigns = 'src/modules/campaigns';
const webhooks = 'src/modules/webhooks';
const egress = 'src/common/egress';

/** Files that decide, by what they decide on. Their unit specs are the ones next to them, and the ones named here. */
export const GROUPS = {
  money: { files: ['src/modules/billing/money.ts', 'src/modules/active-calls/capacity/call-prices.ts'] },
  retries: {
    files: [`${campaigns}/dialler/outcomes/next-step.ts`, `${webhooks}/delivery/retry-schedule.ts`],
  },
  hours: { files: [`${calls}/calling-hours.ts`] },
  turns: { files: [`${campaigns}/dialler/claims/fair-shares.ts`, 'src/queues/wake-ups.ts'] },
  states: {
    files: [
      `${calls}/call-states.ts`,
      'src/modules/call-completion/call-outcomes.ts',
      `${campaigns}/campaign-status.ts`,
    ],
  },
  leases: {
    files: [`${activeCalls}/leases/call-lease.ts`, `${activeCalls}/leases/lease-guarded-line.ts`],
  },
  breakers: {
    files: [
      `${activeCalls}/carrier-breaker/carrier-breaker.service.ts`,
      `${webhooks}/delivery/endpoint-health.ts`,
    ],
  },
  egress: {
    files: [`${egress}/forbidden-address.ts`, `${egress}/guarded-connector.ts`, `${egress}/hop.ts`],
    specs: [
      `${egress}/egress-client.spec.ts`,
      `${egress}/egress-client.hostile.spec.ts`,
      `${egress}/egress-client.ssrf.spec.ts`,
    ],
  },
  numbers: { files: ['src/common/phone/e164.ts', 'src/common/phone/stored-number.ts'] },
  pages: { files: ['src/common/http/page.ts', `${calls}/listing/call-periods.ts`] },
  secrets: {
    files: [
      `${webhooks}/secrets/webhook-signature.ts`,
      'src/common/auth/opaque-token.ts',
      'src/common/crypto/secret-box.ts',
    ],
  },
  visitors: {
    files: [
      'src/modules/assistants/settings/visitor-policy.ts',
      'src/modules/visitors/visitor-variables.ts',
      'src/modules/visitors/challenges.service.ts',
      'src/modules/visitors/proof-of-work.ts',
      'src/modules/visitors/visitors.service.ts',
    ],
  },
  limits: { files: ['src/common/limits/rate-limit.ts', 'src/common/limits/window-counter.ts'] },
  outages: {
    files: ['src/database/outages/outages.ts', 'src/database/outages/database-unavailable.error.ts'],
  },
  arguments: { files: ['src/runtime/tools/tool-arguments.ts', 'src/runtime/variables.ts'] },
};
