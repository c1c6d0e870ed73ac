import { PartialType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { BooleanField, IntegerField, ObjectsField, StringField } from '../../../common/http/fields.js';
import { IdsField } from '../../../common/http/fields/list-fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';

/** No hyphen: it ends the server's name in the names of its tools. */
const SERVER_NAME = /^[a-z][a-z0-9_]*$/;
/** A token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, spaces and tabs, nothing that could end the header's line; and the dots of a masked value. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff•]*$/;

export class McpHeaderRequest {
  @StringField({
    max: 256,
    pattern: { regex: HEADER_NAME, key: 'tools.header_name' },
    example: 'Authorization',
    description: 'Name, for people',
  })
  declare name: string;

  @StringField({
    max: 2048,
    filled: false,
    pattern: { regex: HEADER_VALUE, key: 'validation.characters' },
    description: 'A masked value, as it was read, leaves the stored one',
    example: 'Bearer 0123456789',
  })
  declare value: string;
}

export class CreateMcpServerRequest {
  @StringField({
    max: 20,
    pattern: { regex: SERVER_NAME, key: 'mcp_servers.name_format' },
    description: 'Part of the names by which models call its tools: mcp-<name>-<tool>',
    example: 'crm',
  })
  declare name: string;

  @UrlField({ description: 'Its streamable HTTP endpoint', example: 'https://mcp.example.com/mcp' })
  declare url: string;

  @ObjectsField(() => McpHeaderRequest, {
    optional: true,
    maxItems: 20,
    description: 'HTTP headers of the request',
  })
  declare headers?: McpHeaderRequest[];

  @IntegerField({
    optional: true,
    min: 1,
    max: 30,
    default: 10,
    description: 'Seconds a call of a tool may take',
  })
  declare timeout?: number;
}

/** All optional; headers replace what was there. */
export class UpdateMcpServerRequest extends PartialType(CreateMcpServerRequest, {
  skipNullProperties: false,
}) {}

export class AllowMcpToolRequest {
  @BooleanField({ description: 'Whether assistants may use the tool, as it is defined now' })
  declare allowed: boolean;

  @StringField({
    optional: true,
    max: 64,
    description: 'definition_hash of the definition that was looked at; needed to allow it',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  @ValidateIf(({ allowed }: AllowMcpToolRequest) => allowed)
  declare definition_hash?: string;
}

export class AssistantMcpToolsRequest {
  @IdsField({ description: 'Tools of MCP servers; they replace those the assistant has', example: [] })
  declare tool_ids: number[];
}
