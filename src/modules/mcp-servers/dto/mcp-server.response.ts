import { ApiProperty } from '@nestjs/swagger';
import {
  FreeObject,
  NullableEnum,
  NullableMoment,
  NullableText,
  NumberedResponse,
  TimestampedResponse,
} from '../../../common/http/response-fields.js';
import type { Principal } from '../../../common/auth/principal.js';
import { shownUrl } from '../../../common/auth/shown-url.js';
import { masked } from '../../../common/text/masked.js';
import { MCP_ERROR_CODES, type McpErrorCode } from '../../../providers/mcp/mcp-error.js';
import type { McpServerDetails } from '../mcp-servers.service.js';
import type { NamedMcpTool } from '../mcp-tools.repository.js';
import { functionNameOf } from '../tool-definitions.js';

const TOOL_STATUSES = ['new', 'allowed', 'changed', 'missing'] as const;

class McpHeaderResponse {
  @ApiProperty({ example: 'Authorization', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({ description: 'Masked, but for the last four characters of long ones', example: '••••6789' })
  declare value: string;
}

class LeftOutToolResponse {
  @ApiProperty({ example: 'search', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({ description: 'Why it is not taken', example: 'the schema is too large' })
  declare reason: string;
}

export class McpServerResponse extends TimestampedResponse {
  @ApiProperty({ example: 'crm', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({
    description:
      'Its streamable HTTP endpoint; values of its query are hidden from callers without the scope `admin`',
    example: 'https://mcp.example.com/mcp',
  })
  declare url: string;

  @ApiProperty({ type: [McpHeaderResponse], description: 'Sent with each request' })
  declare headers: McpHeaderResponse[];

  @ApiProperty({ type: 'integer', description: 'Seconds a call of a tool may take' })
  declare timeout: number;

  @NullableMoment('When its tools were listed with success the last time')
  declare refreshed_at: string | null;

  @NullableText({ description: 'Why the last listing failed; null after a success', example: null })
  declare last_error: string | null;

  @NullableEnum(MCP_ERROR_CODES, {
    description:
      'What kind of failure `last_error` is, for programs. `unreachable`: no connection, an answer that is too large, or an HTTP status that is an error; `timeout`: no answer in time; `protocol`: an answer that is not MCP; `refused`: the server says no, as to wrong credentials; `aborted`: cancelled. Null after a success, and where a release without codes noted the failure',
    example: null,
  })
  declare last_error_code: McpErrorCode | null;

  @ApiProperty({
    type: [LeftOutToolResponse],
    description: 'Tools it offers that are not taken; the first 20',
  })
  declare left_out: LeftOutToolResponse[];
}

export class McpToolResponse extends NumberedResponse {
  @ApiProperty({ type: 'integer', description: 'The server that offers it' })
  declare server_id: number;

  @ApiProperty({ description: 'As the server calls it', example: 'search' })
  declare name: string;

  @ApiProperty({ description: 'As models call it', example: 'mcp-crm-search' })
  declare function_name: string;

  @ApiProperty({ description: 'In the words of the server', example: 'Finds customers by name' })
  declare description: string;

  @FreeObject({
    description: 'JSON Schema of its arguments',
    example: { type: 'object', properties: { name: { type: 'string' } } },
  })
  declare input_schema: Readonly<Record<string, unknown>>;

  @ApiProperty({
    enum: TOOL_STATUSES,
    description:
      'new: never allowed; changed: allowed in another definition, and not used before it is allowed again; missing: not offered any more',
  })
  declare status: (typeof TOOL_STATUSES)[number];

  @ApiProperty({
    description: 'Changes when the description of the tool for models changes',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  declare definition_hash: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export function toMcpServerResponse(server: McpServerDetails, caller: Principal): McpServerResponse {
  return {
    id: server.id,
    name: server.name,
    url: shownUrl(server.url, caller),
    headers: server.headers.map(({ name, value }) => ({ name, value: masked(value) })),
    timeout: server.timeoutSeconds,
    refreshed_at: server.refreshedAt?.toISOString() ?? null,
    last_error: server.lastError,
    last_error_code: server.lastErrorCode,
    left_out: server.leftOut.map(({ name, reason }) => ({ name, reason })),
    created_at: server.createdAt.toISOString(),
    updated_at: server.updatedAt.toISOString(),
  };
}

export function toMcpToolResponse(tool: NamedMcpTool): McpToolResponse {
  return {
    id: tool.id,
    server_id: tool.serverId,
    name: tool.name,
    function_name: functionNameOf(tool.serverName, tool.name),
    description: tool.description,
    input_schema: tool.inputSchema,
    status: statusOf(tool),
    definition_hash: tool.definitionHash,
    updated_at: tool.updatedAt.toISOString(),
  };
}

function statusOf({ isListed, allowedHash, definitionHash }: NamedMcpTool): McpToolResponse['status'] {
  if (!isListed) return 'missing';
  if (allowedHash === null) return 'new';
  return allowedHash === definitionHash ? 'allowed' : 'changed';
}
