import { Body, Controller, Delete, Get, Post, Put, UploadedFile, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import {
  ApiOk,
  ApiData,
  ApiDataList,
  ApiMessageErrors,
  ApiReply,
  MessageResponse,
} from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done, reply } from '../../../common/http/reply.js';
import { ReadBack } from '../../../common/http/requests/read-back.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { DiscardUploadInterceptor } from './discard-upload.interceptor.js';
import type { Upload } from './document-uploads.service.js';
import { DocumentsService } from './documents.service.js';
import { CreateDocumentRequest, UpdateDocumentRequest } from '../dto/document.request.js';
import {
  CreatedDocumentResponse,
  DocumentResponse,
  toCreatedDocument,
  toDocumentResponse,
  toUpdatedDocument,
  UpdatedDocumentResponse,
} from '../dto/document.response.js';

@ApiTags('Knowledge bases')
@ForUser()
@Controller('user/knowledgebases/:knowledgebaseId/documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Get()
  @ApiOperation({ operationId: 'listDocuments', summary: 'List the documents of a knowledge base' })
  @ApiDataList(DocumentResponse)
  async list(
    @Caller() { userId }: Principal,
    @IdParam('knowledgebaseId', 'Id of the knowledge base') knowledgebaseId: number,
  ) {
    return { data: (await this.documents.list(userId, knowledgebaseId)).map(toDocumentResponse) };
  }

  @Post()
  // Above what receives the file, and so after it: another file is another request.
  @Idempotent()
  @UseInterceptors(DiscardUploadInterceptor, FileInterceptor('file'))
  @ApiConsumes('application/json', 'multipart/form-data')
  @ApiOperation({
    operationId: 'createDocument',
    summary: 'Add a website or a file; it is read in the background, and reading it again tells how far',
  })
  @ApiReply(CreatedDocumentResponse, 201)
  @ApiMessageErrors(413)
  async create(
    @Caller() { userId }: Principal,
    @IdParam('knowledgebaseId', 'Id of the knowledge base') knowledgebaseId: number,
    @Body() body: CreateDocumentRequest,
    @UploadedFile() file: Upload | undefined,
  ) {
    return reply(
      'documents.created',
      toCreatedDocument(await this.documents.create(userId, knowledgebaseId, body, file)),
    );
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getDocument', summary: 'Read a document and how far its processing is' })
  @ApiData(DocumentResponse)
  async get(
    @Caller() { userId }: Principal,
    @IdParam('knowledgebaseId', 'Id of the knowledge base') knowledgebaseId: number,
    @IdParam() id: number,
  ) {
    return { data: toDocumentResponse(await this.documents.get(userId, knowledgebaseId, id)) };
  }

  @Put(':id')
  @ReadBack(DocumentResponse)
  @ApiOperation({ operationId: 'updateDocument', summary: 'Change name or description' })
  @ApiReply(UpdatedDocumentResponse)
  async update(
    @Caller() { userId }: Principal,
    @IdParam('knowledgebaseId', 'Id of the knowledge base') knowledgebaseId: number,
    @IdParam() id: number,
    @Body() body: UpdateDocumentRequest,
  ) {
    return reply(
      'documents.updated',
      toUpdatedDocument(await this.documents.update(userId, knowledgebaseId, id, body)),
    );
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteDocument',
    summary: 'Delete a document with all that was read from it',
  })
  @ApiOk(MessageResponse)
  async delete(
    @Caller() { userId }: Principal,
    @IdParam('knowledgebaseId', 'Id of the knowledge base') knowledgebaseId: number,
    @IdParam() id: number,
  ) {
    await this.documents.delete(userId, knowledgebaseId, id);
    return done('documents.deleted');
  }
}
