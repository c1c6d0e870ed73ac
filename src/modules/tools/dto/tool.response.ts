import { ApiProperty } from '@nestjs/swagger';
import type { Principal } from '../../../common/auth/principal.js';
import { mayDo } from '../../../common/auth/scopes.js';
import { HIDDEN } from '../../../common/text/masked.js';
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

  @ApiProperty({
    type: [HeaderResponse],
    description: 'Values are hidden from callers without the scope `admin`',
  })
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

/** Headers carry credentials: who may only read is shown that they are there. */
export function toToolResponse(tool: ToolDetails, caller: Principal): ToolResponse {
  const isShown = mayDo(caller, 'admin');
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    type: tool.type,
    endpoint: tool.endpoint,
    method: tool.method,
    body_format: tool.bodyFormat,
    timeout: tool.timeoutSeconds,
    headers: tool.headers.map(({ name, value }) => ({ name, value: isShown ? value : HIDDEN })),
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
