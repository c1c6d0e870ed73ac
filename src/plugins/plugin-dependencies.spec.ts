import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { namingPlugin } from './plugin-dependencies.js';
import { definePlugin } from './plugin.js';
import { PluginError } from './plugin.error.js';

@Injectable()
class StampsService {}

@Injectable()
class CountsService {
  constructor(readonly stamps: StampsService) {}
}

@Module({ providers: [CountsService] })
class ForgetfulModule {}

@Module({ providers: [StampsService] })
class SecretiveModule {}

async function failureOf(module: Type): Promise<unknown> {
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }).catch(
    (error: unknown) => error,
  );
}

const plugin = (module: Type) => definePlugin({ name: 'stamps', prosa: '*', module });

describe('a dependency that a plugin forgets', () => {
  it('is one sentence that names the plugin and what to add', async () => {
    const error = namingPlugin(await failureOf(ForgetfulModule), [plugin(ForgetfulModule)]);
    expect(error).toBeInstanceOf(PluginError);
    expect((error as Error).message).toBe(
      'The plugin stamps cannot be started, because CountsService needs StampsService and Prosa does not find it: ' +
        "add StampsService to the providers of the plugin's module, or import the module that exports it.",
    );
  });

  it("of the product's own classes stays the error it is", async () => {
    const failure = await failureOf(ForgetfulModule);
    expect(namingPlugin(failure, [plugin(SecretiveModule)])).toBe(failure);
    const other = new Error('no database');
    expect(namingPlugin(other, [plugin(SecretiveModule)])).toBe(other);
  });
});
