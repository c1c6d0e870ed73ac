/** What a key may be limited to. Each guarded route needs exactly one of them. */
export const SCOPES = ['read', 'chat', 'calls', 'campaigns', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
