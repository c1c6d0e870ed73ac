import { ValidationFailedError } from '../../../common/errors/errors.js';
import { UUID } from '../../../common/http/fields.js';
import type { ListPosition } from '../conversations.repository.js';

export function encodeCursor({ createdAt, id, direction }: ListPosition): string {
  return Buffer.from(JSON.stringify([direction, createdAt, id])).toString('base64url');
}

/** @throws ValidationFailedError for anything that was not made by {@link encodeCursor} */
export function decodeCursor(cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  try {
    const [direction, createdAt, id] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString('utf8'),
    ) as unknown[];
    const isDirection = direction === 'next' || direction === 'prev';
    const isDate = typeof createdAt === 'string' && new Date(createdAt).toISOString() === createdAt;
    if (isDirection && isDate && typeof id === 'string' && UUID.test(id)) return { direction, createdAt, id };
  } catch {
    // Not JSON, or not a date: refused below.
  }
  throw ValidationFailedError.of('cursor', 'validation.format');
}
