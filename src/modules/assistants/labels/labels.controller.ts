import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiReply, MessageResponse } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { PageQuery, pageRequestOf, toShortPage } from '../../../common/http/page.js';
import { done, reply } from '../../../common/http/reply.js';
import { ReadBack } from '../../../common/http/requests/read-back.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { CreateLabelRequest, UpdateLabelRequest } from './label.request.js';
import { LabelPageResponse, LabelResponse, toLabelResponse } from './label.response.js';
import { LabelsService } from './labels.service.js';

/** The list has the plural path, all else both. */
@ApiTags('Labels')
@ForUser()
@Controller('user')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Get('labels')
  @ApiOperation({ operationId: 'listLabels', summary: 'List the labels, oldest first' })
  @ApiOk(LabelPageResponse)
  async list(@Caller() { userId }: Principal, @Query() query: PageQuery) {
    const page = pageRequestOf(query);
    return toShortPage(await this.labels.page(userId, page), page, toLabelResponse);
  }

  @Post('label')
  @Idempotent()
  @ApiOperation({ operationId: 'createLabel', summary: 'Create a label' })
  @ApiReply(LabelResponse, 201)
  async create(@Caller() { userId }: Principal, @Body() body: CreateLabelRequest) {
    return reply('labels.created', toLabelResponse(await this.labels.create(userId, body)));
  }

  @Post('labels')
  @Idempotent()
  @ApiOperation({ operationId: 'createLabelAlias', summary: 'Create a label, by its other path' })
  @ApiReply(LabelResponse, 201)
  createAlias(@Caller() caller: Principal, @Body() body: CreateLabelRequest) {
    return this.create(caller, body);
  }

  @Put('label/:id')
  @ReadBack(LabelResponse)
  @ApiOperation({ operationId: 'updateLabel', summary: 'Change the fields that are sent' })
  @ApiReply(LabelResponse)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() body: UpdateLabelRequest) {
    return reply('labels.updated', toLabelResponse(await this.labels.update(userId, id, body)));
  }

  @Put('labels/:id')
  @ReadBack(LabelResponse)
  @ApiOperation({
    operationId: 'updateLabelAlias',
    summary: 'Change the fields that are sent, by the other path',
  })
  @ApiReply(LabelResponse)
  updateAlias(@Caller() caller: Principal, @IdParam() id: number, @Body() body: UpdateLabelRequest) {
    return this.update(caller, id, body);
  }

  @Delete('label/:id')
  @ApiOperation({ operationId: 'deleteLabel', summary: 'Delete a label; its assistants stay' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.labels.delete(userId, id);
    return done('labels.deleted');
  }

  @Delete('labels/:id')
  @ApiOperation({
    operationId: 'deleteLabelAlias',
    summary: 'Delete a label, by its other path; its assistants stay',
  })
  @ApiOk(MessageResponse)
  deleteAlias(@Caller() caller: Principal, @IdParam() id: number) {
    return this.delete(caller, id);
  }
}
