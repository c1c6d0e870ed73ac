import { Module } from '@nestjs/common';
import { ModelConfig } from '../../config/config.js';
import { SpeechModule } from '../../providers/speech/speech.module.js';
import { CATALOG_CONTRIBUTIONS, type CatalogContribution, withContributions } from './catalog-additions.js';
import { BUNDLED_CATALOG_PATH, readCatalogFile } from './catalog-file.js';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';
import { VoiceOffersService } from './voice-offers.service.js';

/** A catalogue that cannot be used stops the start with its CatalogFileError. */
@Module({
  imports: [SpeechModule],
  controllers: [CatalogController],
  providers: [
    VoiceOffersService,
    {
      provide: CatalogService,
      inject: [ModelConfig, { token: CATALOG_CONTRIBUTIONS, optional: true }],
      useFactory: async (
        { catalogFile }: ModelConfig,
        contributions: readonly CatalogContribution[] | undefined,
      ) => {
        const catalog = await readCatalogFile(catalogFile ?? BUNDLED_CATALOG_PATH);
        return new CatalogService(withContributions(catalog, contributions ?? []));
      },
    },
  ],
  exports: [CatalogService],
})
export class CatalogModule {}
