import { DistinctNames } from '../../../common/http/requests/distinct-names.js';
import { applyDecorators } from '@nestjs/common';
import { PartialType } from '@nestjs/swagger';
import { NotEquals, ValidateBy } from 'class-validator';
import {
  BooleanField,
  EnumField,
  IntegerField,
  ObjectsField,
  StringField,
} from '../../../common/http/fields.js';
import { issueText } from '../../../common/http/fields/field.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { HIDDEN } from '../../../common/text/masked.js';
import {
  BODY_FORMATS,
  PARAMETER_TYPES,
  type StaticField,
  TOOL_METHODS,
  type Tool,
  type ToolParameter,
} from '../tool.entity.js';

const TOOL_NAME = /^[a-z][a-z_]*$/;
const PARAMETER_NAME = /^[A-Za-z][A-Za-z_]*$/;
/** A token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, spaces and tabs: nothing that could end the header's line. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const MAX_VALUE = 2048;

/** Placeholders may stand in path and query alone, so that no argument can choose the host; no credentials in the URL. */
function SafePlaceholders(): PropertyDecorator {
  const isSafe = (value: unknown) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return false;
    const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(value)?.[1] ?? '';
    return authority !== '' && !/[{}@]/.test(authority);
  };
  return ValidateBy(
    { name: 'safePlaceholders', validator: { validate: isSafe } },
    issueText('tools.placeholder_place'),
  );
}

export class HeaderRequest {
  @StringField({
    max: 256,
    pattern: { regex: HEADER_NAME, key: 'tools.header_name' },
    example: 'Authorization',
    description: 'Name of the header',
  })
  declare name: string;

  @StringField({
    max: MAX_VALUE,
    filled: false,
    pattern: { regex: HEADER_VALUE, key: 'validation.characters' },
    description: 'Value sent along',
    example: 'prosa',
  })
  declare value: string;
}

export class StaticFieldRequest implements StaticField {
  @StringField({ max: 256, description: 'Name of the field', example: 'source' })
  declare key: string;

  @applied(
    StringField({ max: MAX_VALUE, filled: false, description: 'Value sent along', example: 'prosa' }),
    NotEquals(HIDDEN, issueText('validation.masked')),
  )
  declare value: string;
}

export class ParameterRequest {
  @StringField({
    min: 2,
    max: 32,
    pattern: { regex: PARAMETER_NAME, key: 'tools.parameter_name_format' },
    example: 'city',
    description: 'Name of the parameter',
  })
  declare name: string;

  @EnumField(PARAMETER_TYPES, { description: 'Kind' })
  declare type: ToolParameter['type'];

  @StringField({
    min: 3,
    max: 255,
    example: 'City the customer asks about',
    description: 'What the model is to fill in',
  })
  declare description: string;

  @BooleanField({ optional: true, default: true, description: 'Whether it must be given' })
  declare required?: boolean;
}

export class CreateToolRequest {
  @StringField({
    max: 64,
    pattern: { regex: TOOL_NAME, key: 'tools.name_format' },
    example: 'get_weather',
    description: 'Name the model calls the tool by: lowercase letters and underscores',
  })
  declare name: string;

  @StringField({
    max: 255,
    description: 'When and how the AI uses the tool',
    example: 'Current weather of a city',
  })
  declare description: string;

  @applied(
    UrlField({
      template: true,
      description: 'May hold {parameter} and {{variable}} in path and query',
      example: 'https://api.example.com/weather/{city}',
    }),
    SafePlaceholders(),
  )
  declare endpoint: string;

  @EnumField(TOOL_METHODS, { description: 'HTTP method' })
  declare method: Tool['method'];

  @IntegerField({ optional: true, min: 1, max: 30, default: 10, description: 'Seconds' })
  declare timeout?: number;

  @ObjectsField(() => HeaderRequest, { optional: true, description: 'HTTP headers of the request' })
  declare headers?: HeaderRequest[];

  @applied(
    ObjectsField(() => ParameterRequest, {
      optional: true,
      description: 'Parameters that the model fills in',
    }),
    DistinctNames('tools.duplicate_parameter'),
  )
  declare schema?: ParameterRequest[];

  @EnumField(BODY_FORMATS, {
    optional: true,
    default: 'json',
    description: 'How the body of the request is encoded',
  })
  declare body_format?: Tool['bodyFormat'];

  @ObjectsField(() => StaticFieldRequest, {
    optional: true,
    description: 'Fields sent along with every request, the same each time',
  })
  declare static_fields?: StaticFieldRequest[];
}

/** All optional; headers and schema replace what was there. */
export class UpdateToolRequest extends PartialType(CreateToolRequest, { skipNullProperties: false }) {}

function applied(...decorators: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(...decorators);
}
