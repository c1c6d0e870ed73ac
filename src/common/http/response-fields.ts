import { ApiProperty } from '@nestjs/swagger';

/** A moment of a response, or null. The type is named because the compiler emits none for `string | null`. */
export function NullableMoment(description: string): PropertyDecorator {
  return ApiProperty({ type: String, format: 'date-time', nullable: true, description });
}
