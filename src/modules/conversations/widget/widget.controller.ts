import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiOk, ApiStatusErrors } from '../../../common/http/api-docs.js';
import { UuidParam } from '../../../common/http/id-param.js';
import { CurrentVisitor } from '../../visitors/current-visitor.js';
import type { Visitor } from '../../visitors/visitor.js';
import { toWidgetResponse, WidgetResponse } from './widget.response.js';
import { WidgetService } from './widget.service.js';

@ApiTags('Widget')
@Controller('widget')
export class WidgetController {
  constructor(private readonly widgets: WidgetService) {}

  @Get(':uuid')
  @ApiOperation({
    operationId: 'getWidget',
    summary: 'Read what a chat on a page shows before anything is said, by the uuid of the assistant',
    description: 'A conversation is to be opened with the first message: until then nothing is stored.',
  })
  @ApiOk(WidgetResponse)
  @ApiStatusErrors(403)
  async get(@CurrentVisitor() visitor: Visitor, @UuidParam() uuid: string) {
    return toWidgetResponse(await this.widgets.get(visitor, uuid));
  }
}
