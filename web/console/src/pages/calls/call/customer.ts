import type { CallDetailsResponse } from '#client/types.gen.js';
import { customerName } from '../../../components/customer-name.js';

/** Name of the customer where the call knows it, or the number. */
export function customerOf(
  { variables, client_phone_number: phone }: Pick<CallDetailsResponse, 'variables' | 'client_phone_number'>,
  web: string,
): string {
  return customerName({ id: '', variables }, () => phone || web);
}
