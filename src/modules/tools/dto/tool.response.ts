import { ApiProperty } from '@nestjs/swagger';
import { BODY_FORMATS, PARAMETER_TYPES, TOOL_METHODS } from '../tool.entity.js';
import type { ToolDetails } from '../tools.service.js';

class HeaderResponse {
  @ApiProperty()
  declare name: string;

  @ApiProperty()
  declare value: string;
}

class StaticFieldResponse {
  @ApiProperty()
  declare key: string;

  @ApiProperty()
  declare value: string;
}

class ParameterResponse {
  @ApiProperty()
  declare name: string;

  @ApiProperty({ enum: PARAMETER_TYPES })
  declare type: string;

  @ApiProperty()
  declare description: string;

  @ApiProperty()
  declare required: boolean;
}

export class ToolResponse {
  @ApiProperty({ type: 'integer' })
  declare id: number;

  @ApiProperty({ example: 'get_weather' })
  declare name: string;

  @ApiProperty()
  declare description: string;

  @ApiProperty({ enum: ['http', 'automation'] })
  declare type: string;

  @ApiProperty()
  declare endpoint: string;

  @ApiProperty({ enum: TOOL_METHODS })
  declare method: string;

  @ApiProperty({ enum: BODY_FORMATS })
  declare body_format: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  declare timeout: number;

  @ApiProperty({ type: [HeaderResponse] })
  declare headers: HeaderResponse[];

  @ApiProperty({ type: [StaticFieldResponse] })
  declare static_fields: StaticFieldResponse[];

  @ApiProperty({ type: [ParameterResponse] })
  declare schema: ParameterResponse[];

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time' })
  declare updated_at: string;
}

export function toToolResponse(tool: ToolDetails): ToolResponse {
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    type: tool.type,
    endpoint: tool.endpoint,
    method: tool.method,
    body_format: tool.bodyFormat,
    timeout: tool.timeoutSeconds,
    headers: tool.headers.map(({ name, value }) => ({ name, value })),
    static_fields: tool.staticFields.map(({ key, value }) => ({ key, value })),
    schema: tool.schema.map(({ name, type, description, required }) => ({
      name,
      type,
      description,
      required,
    })),
    created_at: tool.createdAt.toISOString(),
    updated_at: tool.updatedAt.toISOString(),
  };
}
