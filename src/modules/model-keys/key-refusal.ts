import { ValidationFailedError } from '../../common/errors/errors.js';
import { KEY_CHECKS, type KeyCheck } from '../../providers/account-keys/key-check.js';
import { modelKeyText } from './model-keys.texts.js';

type Refusal = Exclude<KeyCheck, 'ok'>;

const FIELDS: Readonly<Record<Refusal, 'api_key' | 'base_url'>> = {
  refused: 'api_key',
  forbidden: 'base_url',
  incompatible: 'base_url',
  unreachable: 'base_url',
};

/** The result of asking; `unreadable`: the installation cannot open the key. */
export const KEY_TESTS = [...KEY_CHECKS, 'unreadable'] as const;
export type KeyTest = (typeof KEY_TESTS)[number];

/** An address that is no plain one would lead elsewhere when a path is added to it. @throws ValidationFailedError */
export function refuseUnlessPlain(baseUrl: string | null): void {
  if (baseUrl !== null && /[?#]/.test(baseUrl)) {
    throw ValidationFailedError.of('base_url', modelKeyText('model_keys.plain_address'));
  }
}

/** For a key that is not stored, since its server, whose address the customer has sent, did not take it. */
export function toRejection(check: Refusal): ValidationFailedError {
  return ValidationFailedError.of(FIELDS[check], modelKeyText(`model_keys.${check}`));
}

/** As before, for a vendor whose address the request does not contain. */
export function toVendorRejection(check: Refusal): ValidationFailedError {
  const key = check === 'refused' ? 'model_keys.vendor_refused' : 'model_keys.vendor_unreachable';
  return ValidationFailedError.of('api_key', modelKeyText(key));
}
