import { DEFAULTS } from '../settings/assistant-fields.js';

/** Absent and null alike: the default at creation. In an update absent means unchanged. */
export const OPTIONAL = { optional: true, nullable: true } as const;

/** An optional field whose default the documentation names. */
export function withDefault(name: keyof typeof DEFAULTS) {
  return { ...OPTIONAL, default: DEFAULTS[name] };
}
