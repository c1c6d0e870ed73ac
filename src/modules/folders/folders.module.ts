import { Module } from '@nestjs/common';
import { FoldersRepository } from './folders.repository.js';
import { FoldersService } from './folders.service.js';

@Module({ providers: [FoldersService, FoldersRepository], exports: [FoldersService] })
export class FoldersModule {}
