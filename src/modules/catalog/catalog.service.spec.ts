import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { Authenticator } from '../../common/auth/authenticator.js';
import { SessionCookieService } from '../../common/auth/session-cookie.service.js';
import { ModelConfig } from '../../config/config.js';
import { ConfigModule } from '../../config/config.module.js';
import { configFrom } from '../../config/config-from.js';
import { parseEnvironment } from '../../config/environment.js';
import { BUNDLED_CATALOG_PATH, CatalogFileError, readCatalogFile } from './catalog-file.js';
import { ENGINE_MODES, MODEL_TYPES } from './catalog-schema.js';
import { CatalogModule } from './catalog.module.js';
import { CatalogService } from './catalog.service.js';

const UNKNOWN = 999_999;

describe('CatalogService', () => {
  let catalog: CatalogService;

  beforeAll(async () => {
    catalog = new CatalogService(await readCatalogFile(BUNDLED_CATALOG_PATH));
  });

  it('finds records by id, and null for an unknown one', () => {
    expect(catalog.findLanguage(1)).toMatchObject({ iso_2: 'pt' });
    expect(catalog.findVoice(1)).toMatchObject({ name: 'Marin' });
    expect(catalog.findModel(101)).toMatchObject({ types: ['multimodal', 'dualplex'] });
    expect([catalog.findLanguage(UNKNOWN), catalog.findVoice(UNKNOWN), catalog.findModel(UNKNOWN)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('has a voice, a synthesizer and a transcriber for every language in every mode', () => {
    for (const { id: languageId } of catalog.languages()) {
      for (const mode of ENGINE_MODES) expect(catalog.voices({ mode, languageId })).not.toEqual([]);
      expect(catalog.synthesizers(languageId)).not.toEqual([]);
      expect(catalog.transcribers(languageId)).not.toEqual([]);
    }
  });

  it('limits a voice without languages of its own to those of its provider', () => {
    const icelandic = catalog.languages().find(({ iso_2 }) => iso_2 === 'is');
    const providers = new Set(catalog.voices({ languageId: icelandic?.id }).map(({ provider }) => provider));
    expect(providers).toContain('azure');
    expect(providers).not.toContain('elevenlabs');
  });

  it('offers nothing for a language it does not know', () => {
    expect(catalog.voices({ languageId: UNKNOWN })).toEqual([]);
    expect(catalog.synthesizers(UNKNOWN)).toEqual([]);
    expect(catalog.transcribers(UNKNOWN)).toEqual([]);
  });

  it.each(MODEL_TYPES)('has models of type %s only under that type', (type) => {
    expect(catalog.models(type).every(({ types }) => types.includes(type))).toBe(true);
  });
});

describe('CatalogModule', () => {
  const start = async (catalogFile?: string) => {
    const config = configFrom(
      parseEnvironment(catalogFile === undefined ? {} : { CATALOG_FILE: catalogFile }),
    );
    const module = await Test.createTestingModule({ imports: [ConfigModule.of(config), CatalogModule] })
      // What the guard of the module's routes asks for; none is called here.
      .useMocker((token) => {
        if (token === Authenticator) return { authenticate: () => Promise.resolve(null) };
        return token === SessionCookieService ? {} : undefined;
      })
      .compile();
    expect(module.get(ModelConfig).catalogFile).toBe(catalogFile);
    return module.get(CatalogService);
  };

  it('reads the bundled file unless another is named', async () => {
    expect((await start()).languages().length).toBeGreaterThanOrEqual(35);
  });

  it('does not start with a file that cannot be used, and says which and why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-catalog-'));
    const file = join(folder, 'catalog.json');
    await writeFile(file, '{"languages": []');
    try {
      const error = await start(file).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CatalogFileError);
      expect(String(error)).toContain(
        `The catalogue file ${file} cannot be used:\nThe content is not valid JSON`,
      );
      await expect(start(join(folder, 'none.json'))).rejects.toThrow('The file does not exist.');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
