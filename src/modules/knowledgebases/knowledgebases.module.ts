import { Module } from '@nestjs/common';
import { MulterModule } from '@nestjs/platform-express';
import { DatabaseConfig } from '../../config/config.js';
import { EmbeddingsModule } from '../../providers/embeddings/embeddings.module.js';
import { StorageModule } from '../../providers/storage/storage.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AllowancesModule } from '../allowances/allowances.module.js';
import { FilesModule } from '../files/files.module.js';
import { DocumentsController } from './documents/documents.controller.js';
import { DocumentsRepository } from './documents/documents.repository.js';
import { DocumentUploadsService } from './documents/document-uploads.service.js';
import { DocumentsService } from './documents/documents.service.js';
import { ChunkEmbedderService } from './ingestion/chunk-embedder.service.js';
import { ChunksRepository } from './ingestion/chunks.repository.js';
import { IngestionRepository } from './ingestion/ingestion.repository.js';
import { IngestionService } from './ingestion/ingestion.service.js';
import { SourceIngestionService } from './ingestion/source-ingestion.service.js';
import { KnowledgebasesController } from './knowledgebases.controller.js';
import { KnowledgebasesRepository } from './knowledgebases.repository.js';
import { KnowledgebasesService } from './knowledgebases.service.js';
import { ExactVectorSearchService } from './retrieval/exact-vector-search.service.js';
import { KnowledgeService } from './retrieval/knowledge.service.js';
import { DocumentPersonalDataService } from './personal-data/document-personal-data.service.js';
import { DocumentPersonalDataRepository } from './personal-data/document-personal-data.repository.js';
import { WordReindexRepository } from './reindexing/word-reindex.repository.js';
import { WordReindexService } from './reindexing/word-reindex.service.js';
import { PassagesRepository } from './retrieval/passages.repository.js';
import { VectorScanService } from './retrieval/vector-scan.service.js';
import { VectorSearchService } from './retrieval/vector-search.service.js';
import { VectorIndexesRepository } from './retrieval/vector-indexes.repository.js';
import { VectorsRepository } from './retrieval/vectors.repository.js';
import { WordSearchService } from './retrieval/word-search.service.js';
import { TemporaryFilesService, uploadsFolder } from './documents/temporary-files.service.js';

const MAX_FILE_BYTES = 20 * 1024 * 1024;

@Module({
  imports: [
    AccountsModule,
    AllowancesModule,
    EmbeddingsModule,
    FilesModule,
    StorageModule,
    MulterModule.registerAsync({
      inject: [DatabaseConfig],
      // Streamed to disk, never held in memory.
      useFactory: (config: DatabaseConfig) => ({
        dest: uploadsFolder(config),
        limits: { files: 1, fileSize: MAX_FILE_BYTES, fields: 120, fieldSize: 16 * 1024 },
      }),
    }),
  ],
  controllers: [KnowledgebasesController, DocumentsController],
  providers: [
    ChunkEmbedderService,
    ChunksRepository,
    DocumentsRepository,
    DocumentPersonalDataService,
    DocumentPersonalDataRepository,
    DocumentUploadsService,
    DocumentsService,
    ExactVectorSearchService,
    IngestionRepository,
    IngestionService,
    KnowledgebasesRepository,
    KnowledgebasesService,
    KnowledgeService,
    PassagesRepository,
    SourceIngestionService,
    TemporaryFilesService,
    VectorScanService,
    VectorSearchService,
    VectorIndexesRepository,
    VectorsRepository,
    WordReindexRepository,
    WordReindexService,
    WordSearchService,
  ],
  exports: [DocumentPersonalDataService, KnowledgebasesService, KnowledgeService],
})
export class KnowledgebasesModule {}
