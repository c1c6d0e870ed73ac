import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  IsDefined,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { text, type TextKey } from '../../../i18n/catalogue.js';
import type { TextParams } from '../../../i18n/text.js';
import { encodeText, ITEMS } from '../validation-text.js';

/**
 * Field decorators of request DTOs: one a field, each with its rule, its text and its documentation, so that the
 * three cannot drift apart. A field is required unless said otherwise; null is refused unless `nullable`.
 */
export interface FieldOptions {
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Documented only: defaults are applied by services, so that an update does not bring them back. */
  readonly default?: unknown;
}

/** A field's issue, whose words are chosen at the edge. */
export function issueText(key: TextKey, params: TextParams = {}): ValidationOptions {
  return {
    message: ({ property }: ValidationArguments) => encodeText(text(key, { field: property, ...params })),
  };
}

/** A rule for each item of a list; its issues name the items that break it, as `phrases.2`. */
export function EachItem(
  name: string,
  fits: (item: unknown) => boolean,
  key: TextKey,
  params: TextParams | (() => TextParams) = {},
): PropertyDecorator {
  const message = ({ property, value }: ValidationArguments) => {
    const wrong = (value as unknown[]).flatMap((item, index) => (fits(item) ? [] : [index]));
    return encodeText(
      text(key, {
        field: property,
        ...(typeof params === 'function' ? params() : params),
        [ITEMS]: wrong.slice(0, MAX_NAMED).join(),
      }),
    );
  };
  const validate = (value: unknown) => Array.isArray(value) && value.every((item) => fits(item));
  return ValidateBy({ name, validator: { validate } }, { message });
}

/** Items of one list that are named; a list of thousands is not answered with thousands of texts. */
const MAX_NAMED = 20;

export function field(
  options: FieldOptions,
  docs: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const isGiven = (_object: unknown, value: unknown) =>
    !(options.optional && value === undefined) && !(options.nullable && value === null);
  const requiredUnlessNullable = options.nullable
    ? ValidateBy(
        { name: 'isGiven', validator: { validate: (value) => value !== undefined } },
        issueText('validation.required'),
      )
    : IsDefined(issueText(options.optional ? 'validation.null' : 'validation.required'));
  return applyDecorators(
    ApiProperty({
      ...docs,
      required: !options.optional,
      ...(options.nullable ? { nullable: true } : {}),
      ...(options.description ? { description: options.description } : {}),
      ...(options.example === undefined ? {} : { example: options.example }),
      ...(options.default === undefined ? {} : { default: options.default }),
    } as ApiPropertyOptions),
    ValidateIf(isGiven),
    requiredUnlessNullable,
    ...rules,
  );
}

export interface ListOptions extends FieldOptions {
  readonly maxItems?: number;
  readonly minItems?: number;
}
