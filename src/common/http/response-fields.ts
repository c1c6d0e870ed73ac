import { ApiProperty } from '@nestjs/swagger';

// The type of these is named because the compiler emits none for `string | null`.

/** A text of a response, or null. */
export function NullableText(docs: {
  readonly description: string;
  readonly example?: string | null;
}): PropertyDecorator {
  return ApiProperty({ type: String, nullable: true, ...docs });
}

/** A moment of a response, or null. */
export function NullableMoment(description: string): PropertyDecorator {
  return ApiProperty({ type: String, format: 'date-time', nullable: true, description });
}
