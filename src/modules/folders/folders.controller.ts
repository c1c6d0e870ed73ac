import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { PageQuery, pageRequestOf, toShortPage } from '../../common/http/page.js';
import { done, reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { CreateFolderRequest, UpdateFolderRequest } from './dto/folder.request.js';
import { FolderPageResponse, FolderResponse, toFolderResponse } from './dto/folder.response.js';
import { FoldersService } from './folders.service.js';

/** The list has the plural path, all else both. */
@ApiTags('Folders')
@ForUser()
@Controller('user')
export class FoldersController {
  constructor(private readonly folders: FoldersService) {}

  @Get('folders')
  @ApiOperation({ operationId: 'listFolders', summary: 'List the folders, oldest first' })
  @ApiOk(FolderPageResponse)
  async list(@Caller() { userId }: Principal, @Query() query: PageQuery) {
    const page = pageRequestOf(query);
    return toShortPage(await this.folders.page(userId, page), page, toFolderResponse);
  }

  @Post('folder')
  @Idempotent()
  @ApiOperation({ operationId: 'createFolder', summary: 'Create a folder' })
  @ApiReply(FolderResponse, 201)
  async create(@Caller() { userId }: Principal, @Body() body: CreateFolderRequest) {
    return reply('folders.created', toFolderResponse(await this.folders.create(userId, body)));
  }

  @Post('folders')
  @Idempotent()
  @ApiOperation({ operationId: 'createFolderAlias', summary: 'Create a folder, by its other path' })
  @ApiReply(FolderResponse, 201)
  createAlias(@Caller() caller: Principal, @Body() body: CreateFolderRequest) {
    return this.create(caller, body);
  }

  @Put('folder/:id')
  @ReadBack(FolderResponse)
  @ApiOperation({ operationId: 'updateFolder', summary: 'Change the fields that are sent' })
  @ApiReply(FolderResponse)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateFolderRequest) {
    return reply('folders.updated', toFolderResponse(await this.folders.update(userId, id, body)));
  }

  @Put('folders/:id')
  @ReadBack(FolderResponse)
  @ApiOperation({
    operationId: 'updateFolderAlias',
    summary: 'Change the fields that are sent, by the other path',
  })
  @ApiReply(FolderResponse)
  updateAlias(@Caller() caller: Principal, @IdParam() id: number, @Body() body: UpdateFolderRequest) {
    return this.update(caller, id, body);
  }

  @Delete('folder/:id')
  @ApiOperation({ operationId: 'deleteFolder', summary: 'Delete a folder; its assistants stay' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.folders.delete(userId, id);
    return done('folders.deleted');
  }

  @Delete('folders/:id')
  @ApiOperation({
    operationId: 'deleteFolderAlias',
    summary: 'Delete a folder, by its other path; its assistants stay',
  })
  @ApiOk(MessageResponse)
  deleteAlias(@Caller() caller: Principal, @IdParam() id: number) {
    return this.delete(caller, id);
  }
}
