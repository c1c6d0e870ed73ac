// The longest tests of the whole product. A change is not held up by them: `.ci/run` leaves them out, and a release must pass
// them (`npm run test:release`). What they look at in breadth, shorter tests look at in part.
export const RELEASE_FILES = [
  'test/e2e/client-examples.spec.ts',
  'test/e2e/demo.spec.ts',
  'test/e2e/generated-clients.spec.ts',
  'test/e2e/rollback.spec.ts',
  'test/e2e/rolling-upgrade.spec.ts',
  'test/e2e/supervisor.spec.ts',
  'test/faults/sip-takeover.spec.ts',
  'test/pages/desk-story.spec.ts',
  'test/pages/live-desk.spec.ts',
  'test/pages/screens.spec.ts',
  'test/security/connections.spec.ts',
  'test/security/visitor-lines.spec.ts',
  'test/voice/provider-faults.spec.ts',
  'test/voice/realtime-faults.spec.ts',
  'test/voice/twilio-routing.spec.ts',
  'test/voice/vendors.spec.ts',
];
