import { maskedQuery } from '../text/masked.js';
import type { Principal } from './principal.js';
import { mayDo } from './scopes.js';

/** The address of a tool, server or webhook as a caller may read it: its query often carries a credential. */
export function shownUrl<Url extends string | null>(url: Url, caller: Principal): string | Url {
  return url === null || mayDo(caller, 'admin') ? url : maskedQuery(url);
}
