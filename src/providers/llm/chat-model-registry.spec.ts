import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Global, Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { ChatModelRegistry } from './chat-model-registry.js';
import { Logger as LogOfTest } from '../../common/observability/logger.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { ModelConfig, SecurityConfig } from '../../config/config.js';
import { LlmModule } from './llm.module.js';

let app: TestingModule | undefined;

async function registryWith(options: Partial<ModelConfig>): Promise<ChatModelRegistry> {
  @Global()
  @Module({
    providers: [
      { provide: ModelConfig, useValue: options },
      { provide: SecurityConfig, useValue: { egressAllowCidrs: [] } },
      { provide: MetricsService, useFactory: () => new MetricsService(LogOfTest.create('silent')) },
    ],
    exports: [MetricsService, ModelConfig, SecurityConfig],
  })
  class ConfigurationModule {}

  app = await Test.createTestingModule({ imports: [ConfigurationModule, LlmModule] }).compile();
  return app.get(ChatModelRegistry);
}

afterEach(async () => {
  await app?.close();
  app = undefined;
  jest.restoreAllMocks();
});

describe('ChatModelRegistry', () => {
  it.each([
    [{}, 'sandbox'],
    [{ baseUrl: '', apiKey: '' }, 'sandbox'],
    [{ baseUrl: 'http://127.0.0.1:11434/v1' }, 'openai-compatible'],
    [{ apiKey: 'key' }, 'openai-compatible'],
    [{ baseUrl: '', apiKey: 'key' }, 'openai-compatible'],
  ])('selects for %j the model: %s', async (options, provider) => {
    const registry = await registryWith({ ...options, timeoutMs: 1000 });

    expect(registry.installation.provider).toBe(provider);
    expect(await registry.select(1)).toBe(registry.installation);
  });

  it('refuses to start with an address that is none', async () => {
    await expect(registryWith({ baseUrl: 'not an address', timeoutMs: 1000 })).rejects.toThrow('Invalid URL');
  });

  it('says at start which kind of model answers, but neither address nor key', async () => {
    const written: unknown[] = [];
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((...args: unknown[]) => written.push(...args));
    }
    await registryWith({ baseUrl: 'http://user:pass@10.0.0.9/v1', apiKey: 'secret-key', timeoutMs: 1000 });
    await app?.close();
    await registryWith({ timeoutMs: 1000 });

    expect(JSON.stringify(written)).not.toMatch(/10\.0\.0\.9|user:pass|secret-key/);
    expect(written.filter((line) => String(line).startsWith('Chat answers'))).toEqual([
      'Chat answers come from an OpenAI-compatible server',
      'Chat answers come from the sandbox model, which is no neural network',
    ]);
  });
});
