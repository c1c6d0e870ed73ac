import { ApiProperty } from '@nestjs/swagger';

// The type of these is named because the compiler emits none for `string | null`.

interface FieldDocs {
  readonly description: string;
  readonly example?: string | null;
}

/** A text of a response, or null. */
export function NullableText(docs: FieldDocs): PropertyDecorator {
  return ApiProperty({ type: String, nullable: true, ...docs });
}

/** One of the values, or null. In OpenAPI 3.0 `nullable` does not add null to an `enum`. */
export function NullableEnum(values: readonly string[], docs: FieldDocs): PropertyDecorator {
  return ApiProperty({ type: String, enum: [...values, null], nullable: true, ...docs });
}

/** A moment of a response, or null. */
export function NullableMoment(description: string): PropertyDecorator {
  return ApiProperty({ type: String, format: 'date-time', nullable: true, description });
}
