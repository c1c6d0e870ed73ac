import { ValidationFailedError } from '../../../common/errors/errors.js';
import { UUID } from '../../../common/http/fields.js';
import { isWrittenMoment } from '../../../common/time/written-moment.js';
import type { ConversationSort, ListPosition } from '../inbox/conversation-list.repository.js';

/** A cursor is of a list in one order. */
export function encodeCursor({ at, id, direction }: ListPosition, sort: ConversationSort): string {
  const place = [direction, at, id, ...(sort === 'created' ? [] : [sort])];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws ValidationFailedError for anything that was not made by {@link encodeCursor} for this order */
export function decodeCursor(cursor: string | undefined, sort: ConversationSort): ListPosition | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  try {
    const [direction, at, id, sortedBy = 'created'] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString('utf8'),
    ) as unknown[];
    const isDirection = direction === 'next' || direction === 'prev';
    const isPlace = typeof at === 'string' && isWrittenMoment(at);
    if (isDirection && isPlace && typeof id === 'string' && UUID.test(id) && sortedBy === sort)
      return { direction, at, id };
  } catch {
    // Not JSON: refused below.
  }
  throw ValidationFailedError.of('cursor', 'validation.format');
}
