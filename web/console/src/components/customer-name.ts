import type { ConversationItemResponse } from '#client/types.gen.js';

const NAMES = ['name', 'nome', 'customer_name', 'first_name', 'email', 'phone', 'customer_phone'];
const SHORT = 4;

/** Name of the customer from the variables, or the first characters of the conversation's id. */
export function customerName(
  { id, variables }: Pick<ConversationItemResponse, 'id' | 'variables'>,
  visitor: (id: string) => string,
): string {
  const found = NAMES.map((name) => variables?.[name]).find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return found ?? visitor(id.slice(0, SHORT));
}
