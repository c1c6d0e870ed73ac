import type { ModelRef } from '../../../runtime/assistant-snapshot.js';
import type { CatalogModel } from '../../catalog/catalog-schema.js';

/** A model of the catalogue as the runtime asks for it. */
export function toModelRef({ code, reasoning_effort: reasoningEffort }: CatalogModel): ModelRef {
  return reasoningEffort ? { code, reasoningEffort } : { code };
}
