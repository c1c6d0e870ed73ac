import { ApiProperty } from '@nestjs/swagger';
import { NullableOf, NullableText } from '../../../common/http/response-fields.js';
import type { HttpToolCall } from '../../../runtime/tools/http-tool.js';
import { TOOL_METHODS } from '../tool.entity.js';

class ToolTestRequestResponse {
  @ApiProperty({ enum: TOOL_METHODS, description: 'Of the request' })
  declare method: string;

  @ApiProperty({
    example: 'https://api.example.com/weather/Recife',
    description: 'With its placeholders filled',
  })
  declare url: string;

  @NullableText({ example: null, description: 'Null without a body' })
  declare body: string | null;
}

class ToolTestAnswerResponse {
  @ApiProperty({ type: 'integer', example: 200, description: 'Of HTTP' })
  declare status: number;

  @ApiProperty({ description: 'At most 16 KiB of it', example: '{"celsius":28}' })
  declare body: string;

  @ApiProperty({ description: 'Whether the body was longer' })
  declare truncated: boolean;

  @ApiProperty({ type: 'integer', description: 'From the start to the last byte, in milliseconds' })
  declare duration_ms: number;
}

export class ToolTestResponse {
  @NullableOf(
    ToolTestRequestResponse,
    'What was sent, without headers; null when the arguments are refused before',
  )
  declare request: ToolTestRequestResponse | null;

  @NullableOf(ToolTestAnswerResponse, 'What came back; null when nothing did')
  declare answer: ToolTestAnswerResponse | null;

  @ApiProperty({
    description: 'What the model of an assistant reads: the answer, or what went wrong',
    example: '{"celsius":28}',
  })
  declare result: string;
}

export function toToolTestResponse({ request, answer, outcome }: HttpToolCall): ToolTestResponse {
  return {
    request: request && { method: request.method, url: request.url, body: request.body ?? null },
    answer: answer && {
      status: answer.status,
      body: answer.bodyText,
      truncated: answer.truncated,
      duration_ms: Math.round(answer.durationMs),
    },
    result: outcome.content,
  };
}
