import type { Type } from '@nestjs/common';
import { ApiProperty, type SchemaObject } from '@nestjs/swagger';

// The type of these is named because the compiler emits none for `string | null`.

interface FieldDocs<Example> {
  readonly description: string;
  readonly example?: Example | null;
}

type NumberDocs = FieldDocs<number> & Pick<SchemaObject, 'minimum' | 'maximum'>;

/** A text of a response, or null. */
export function NullableText(docs: FieldDocs<string> & Pick<SchemaObject, 'format'>): PropertyDecorator {
  return ApiProperty({ type: String, nullable: true, ...docs });
}

/** One of the values, or null. In OpenAPI 3.0 `nullable` does not add null to an `enum`. */
export function NullableEnum(values: readonly string[], docs: FieldDocs<string>): PropertyDecorator {
  return ApiProperty({ type: String, enum: [...values, null], nullable: true, ...docs });
}

/** A moment of a response, or null. */
export function NullableMoment(description: string): PropertyDecorator {
  return ApiProperty({ type: String, format: 'date-time', nullable: true, description });
}

/** A number of a response, or null. */
export function NullableNumber(docs: NumberDocs): PropertyDecorator {
  return ApiProperty({ type: Number, nullable: true, ...docs });
}

/** An integer of a response, or null. */
export function NullableInteger(docs: NumberDocs): PropertyDecorator {
  return ApiProperty({ type: 'integer', nullable: true, ...docs });
}

/** An object of the class, or null. */
export function NullableOf(model: Type<unknown>, description: string): PropertyDecorator {
  return ApiProperty({ type: model, nullable: true, description });
}

/** An object whose keys are not known beforehand. */
export function FreeObject(docs: FieldDocs<object> & Pick<SchemaObject, 'nullable'>): PropertyDecorator {
  return ApiProperty({ type: 'object', additionalProperties: true, ...docs });
}

/** A resource with a number of its own. */
export class NumberedResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier' })
  declare id: number;
}

/** A resource that tells when it was made. */
export class DatedResponse extends NumberedResponse {
  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

/** A resource that tells when it was made and when it was changed. */
export class TimestampedResponse extends DatedResponse {
  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}
