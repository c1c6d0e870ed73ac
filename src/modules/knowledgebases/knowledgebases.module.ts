import { Module } from '@nestjs/common';
import { KnowledgebasesRepository } from './knowledgebases.repository.js';
import { KnowledgebasesService } from './knowledgebases.service.js';

@Module({ providers: [KnowledgebasesService, KnowledgebasesRepository], exports: [KnowledgebasesService] })
export class KnowledgebasesModule {}
