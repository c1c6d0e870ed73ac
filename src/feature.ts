import type { DynamicModule, Type } from '@nestjs/common';
import type { SealedColumn } from './common/crypto/sealed-column.js';
import type { TextKey } from './i18n/catalogue.js';
import type { TextCollection } from './i18n/text.js';
import type { WebhookEventDefinition } from './modules/webhooks/webhook-events.js';
import type { JobDefinition } from './queues/job-definition.js';
import type { AssistantToolDefinition } from './runtime/tools/assistant-tool.js';

/** A group of operations in the API documentation. */
export interface FeatureTag {
  readonly name: string;
  readonly description: string;
}

/** What operations answer with a status that is theirs, for the documentation. */
export interface ErrorExample {
  /** Of method and path, as `/^get \/api\/user\/appointments\/\{id\}$/`. */
  readonly operation: RegExp;
  readonly status: number;
  readonly text: TextKey;
}

/**
 * What a module brings to the product in addition to its entities and migrations. The modules of the product
 * (src/features.ts) and those of plugins are loaded in the same way.
 */
export interface Feature {
  /** Loaded by each role. None where the feature is of the worker or the voice role alone. */
  readonly module?: Type | DynamicModule;
  /** Each job has one handler in the worker role: a method with `@Handles(definition)` of a provider. */
  readonly jobs?: readonly JobDefinition[];
  /** Modules that handlers of jobs need and the API does not. */
  readonly workerModules?: readonly Type[];
  /** Modules of the voice role alone. */
  readonly voiceModules?: readonly Type[];
  /** Its columns with sealed values, which a change of the encryption key seals anew. */
  readonly sealedColumns?: readonly SealedColumn[];
  readonly texts?: TextCollection;
  readonly tags?: readonly FeatureTag[];
  readonly errorExamples?: readonly ErrorExample[];
  readonly tools?: readonly AssistantToolDefinition[];
  readonly webhookEvents?: readonly WebhookEventDefinition[];
}
