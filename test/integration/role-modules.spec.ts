import { afterEach, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { TestApp } from '../support/app.js';

/** Modules that only some roles load, with these roles. */
const OF_ROLES = {
  CallRecoveryModule: ['worker', 'voice'],
  CallRecoveryWorkerModule: ['worker'],
  CampaignsDiallerModule: ['worker'],
  InboundCallsModule: ['worker', 'voice'],
  VoiceServerModule: ['voice'],
  WebCallsVoiceModule: ['voice'],
  WorkersModule: ['worker'],
} as const;

describe('A process with one role', () => {
  let app: TestApp | undefined;

  afterEach(async () => {
    await app?.stop();
    app = undefined;
  });

  it.each(['api', 'worker', 'voice'] as const)('loads only the modules of the role %s', async (role) => {
    app = await TestApp.start({ PROSA_ROLES: role, VOICE_LISTEN: '127.0.0.1:0' });
    const loaded = new Set([...app.app.get(ModulesContainer).values()].map(({ metatype }) => metatype.name));
    expect(loaded).toContain('CallsModule');
    const ofRole = Object.entries(OF_ROLES)
      .filter(([, roles]) => roles.some((one) => one === role))
      .map(([name]) => name);
    expect(Object.keys(OF_ROLES).filter((name) => loaded.has(name))).toEqual(ofRole);
  });
});
