import { Module } from '@nestjs/common';
import { ModelConfig } from '../../config/config.js';
import { BUNDLED_CATALOG_PATH, readCatalogFile } from './catalog-file.js';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';

/** A catalogue that cannot be used stops the start with its CatalogFileError. */
@Module({
  controllers: [CatalogController],
  providers: [
    {
      provide: CatalogService,
      inject: [ModelConfig],
      useFactory: async ({ catalogFile }: ModelConfig) =>
        new CatalogService(await readCatalogFile(catalogFile ?? BUNDLED_CATALOG_PATH)),
    },
  ],
  exports: [CatalogService],
})
export class CatalogModule {}
