import { ApiProperty } from '@nestjs/swagger';
import { TimestampedResponse } from '../../../common/http/response-fields.js';
import type { Principal } from '../../../common/auth/principal.js';
import { mayDo } from '../../../common/auth/scopes.js';
import { shownUrl } from '../../../common/auth/shown-url.js';
import { HIDDEN } from '../../../common/text/masked.js';
import { BODY_FORMATS, PARAMETER_TYPES, TOOL_METHODS } from '../tool.entity.js';
import type { ToolDetails } from '../tools.service.js';

class HeaderResponse {
  @ApiProperty({ description: 'Name of the header', example: 'recepcao' })
  declare name: string;

  @ApiProperty({ description: 'Value sent along', example: 'prosa' })
  declare value: string;
}

class StaticFieldResponse {
  @ApiProperty({ description: 'Name of the field', example: 'source' })
  declare key: string;

  @ApiProperty({ description: 'Value sent along', example: 'prosa' })
  declare value: string;
}

class ParameterResponse {
  @ApiProperty({ description: 'Name of the parameter', example: 'recepcao' })
  declare name: string;

  @ApiProperty({ enum: PARAMETER_TYPES, description: 'Kind' })
  declare type: string;

  @ApiProperty({
    description: 'What the model is to fill in',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;

  @ApiProperty({ description: 'Whether it must be given' })
  declare required: boolean;
}

export class ToolResponse extends TimestampedResponse {
  @ApiProperty({ example: 'get_weather', description: 'Name the model calls the tool by' })
  declare name: string;

  @ApiProperty({
    description: 'When and how the assistant uses the tool',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;

  @ApiProperty({ enum: ['http', 'automation'], description: 'Kind' })
  declare type: string;

  @ApiProperty({
    description:
      'URL that is called; parameters of the schema are written in braces. Values of the query are hidden from callers without the scope `admin`',
    example: 'https://api.example.com/weather/{city}',
  })
  declare endpoint: string;

  @ApiProperty({ enum: TOOL_METHODS, description: 'HTTP method' })
  declare method: string;

  @ApiProperty({ enum: BODY_FORMATS, description: 'How the body of the request is encoded' })
  declare body_format: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  declare timeout: number;

  @ApiProperty({
    type: [HeaderResponse],
    description: 'Values are hidden from callers without the scope `admin`',
  })
  declare headers: HeaderResponse[];

  @ApiProperty({
    type: [StaticFieldResponse],
    description:
      'Fields sent along with every request, the same each time; values are hidden from callers without the scope `admin`',
  })
  declare static_fields: StaticFieldResponse[];

  @ApiProperty({ type: [ParameterResponse], description: 'Parameters that the model fills in' })
  declare schema: ParameterResponse[];
}

/** Headers, static fields and the query carry credentials: a caller without `admin` reads their names only. */
export function toToolResponse(tool: ToolDetails, caller: Principal): ToolResponse {
  const isShown = mayDo(caller, 'admin');
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    type: tool.type,
    endpoint: shownUrl(tool.endpoint, caller),
    method: tool.method,
    body_format: tool.bodyFormat,
    timeout: tool.timeoutSeconds,
    headers: tool.headers.map(({ name, value }) => ({ name, value: isShown ? value : HIDDEN })),
    static_fields: tool.staticFields.map(({ key, value }) => ({ key, value: isShown ? value : HIDDEN })),
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
