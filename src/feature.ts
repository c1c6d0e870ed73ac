import type { DynamicModule, Type } from '@nestjs/common';
import type { TextKey } from './i18n/catalogue.js';
import type { TextCollection } from './i18n/text.js';
import type { WebhookEventDefinition } from './modules/webhooks/webhook-events.js';
import type { JobDefinition } from './queues/job-definition.js';
import type { AnyProcessor } from './queues/job-processor.js';
import type { AssistantToolDefinition } from './runtime/tools/assistant-tool.js';

/** A kind of job with the class that does the work, which only the worker role has. */
export interface FeatureJob {
  readonly definition: JobDefinition;
  readonly processor: Type<Pick<AnyProcessor, 'process'>>;
}

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
 * (src/features.ts) and
 * those of plugins are taken up in the same way.
 */
export interface Feature {
  /** Loaded by each role. None where the feature is of the worker or the voice role alone. */
  readonly module?: Type | DynamicModule;
  /** Processors get what `module` and `workerModules` export. */
  readonly jobs?: readonly FeatureJob[];
  /** Modules that processors need and the API does not. */
  readonly workerModules?: readonly Type[];
  /** Modules of the voice role alone. */
  readonly voiceModules?: readonly Type[];
  readonly texts?: TextCollection;
  readonly tags?: readonly FeatureTag[];
  readonly errorExamples?: readonly ErrorExample[];
  readonly tools?: readonly AssistantToolDefinition[];
  readonly webhookEvents?: readonly WebhookEventDefinition[];
}
