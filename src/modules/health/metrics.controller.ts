import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { MetricsService } from '../../common/observability/metrics.service.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @ApiOperation({ operationId: 'getMetrics', summary: 'Measurements in the text format of Prometheus' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' }, description: 'Measurements' })
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  read() {
    return this.metrics.read();
  }
}
