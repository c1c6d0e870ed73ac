import type { CreateApiKeyRequest } from '#client/types.gen.js';
import type { Scope } from '../../session/rights.js';

export const SCOPES = ['read', 'chat', 'calls', 'campaigns', 'admin'] as const satisfies readonly Scope[];

/** All rights, selected scopes, or those of a visitor. */
export const KINDS = ['all', 'scoped', 'publishable'] as const;
export type Kind = (typeof KINDS)[number];

export interface KeyValues {
  readonly name: string;
  readonly kind: Kind;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  /** Last day, `YYYY-MM-DD` in the reader's zone; empty for no expiry. */
  readonly lastDay: string;
}

export const NEW_KEY: KeyValues = { name: '', kind: 'all', scopes: ['read'], origins: [], lastDay: '' };

export function toRequest({ name, kind, scopes, origins, lastDay }: KeyValues): CreateApiKeyRequest {
  return {
    name: name.trim(),
    ...(kind === 'scoped' && { scopes: [...scopes] }),
    ...(kind === 'publishable' && { publishable: true }),
    ...(origins.length > 0 && { allowed_origins: [...origins] }),
    ...(lastDay !== '' && { expires_at: new Date(`${lastDay}T23:59:59`).toISOString() }),
  };
}
