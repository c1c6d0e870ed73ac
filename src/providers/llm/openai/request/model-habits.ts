import { LRUCache } from 'lru-cache';
import { firstForm, type OutputLimitField, type RequestForm } from './request-form.js';

const MAX_MODELS = 1_000;
/** A server may be replaced by another version: what it refused is tried again after this time. */
const LIFE_MS = 24 * 60 * 60 * 1_000;
/** Answers without a thought after which a model is no longer expected to think. */
const MAX_HELD_IN_VAIN = 20;

/**
 * How a model begins its answers. `lone-end`: with a thought whose beginning is in its chat template, so that only its end
 * can be seen.
 */
type Beginning = 'unknown' | 'plain' | 'lone-end';

/** Services that document thoughts as a field of their own, or between two marks. */
const SEPARATING_HOSTS: readonly string[] = [
  'api.openai.com',
  'openai.azure.com',
  'generativelanguage.googleapis.com',
  'aiplatform.googleapis.com',
  'api.anthropic.com',
  'api.deepseek.com',
  'api.mistral.ai',
  'api.groq.com',
  'openrouter.ai',
  'api.x.ai',
  'api.cohere.ai',
];
/** Families that do not think, or only in a field of their own, as any server lists their names. */
const PLAIN_MODEL =
  /(?:^|[/:_-])(?:gpt|chatgpt|claude|gemini|grok|gemma-?[23]?\b|llama|mistral|mixtral|ministral|pixtral|codestral|command|aya|phi-?[34]|qwen-?[12]|falcon|yi|olmo|smollm|tinyllama|vicuna|zephyr|solar|instruct)/i;
const THINKING_MODEL = /think|reason|r1|qwq|distill|magistral|nemotron|hermes|-o[134]\b/i;

/** What is known of a model of a server: changed as it shows. */
export interface ModelHabits {
  form: RequestForm;
  beginning: Beginning;
  heldInVain: number;
}

/** How the models of servers want to be asked, and how they answer, as they have shown in this process. */
export class KnownModels {
  private readonly known = new LRUCache<string, ModelHabits>({ max: MAX_MODELS, ttl: LIFE_MS });

  /** @param server its address */
  habitsOf(server: string, model: string, outputLimit: OutputLimitField): ModelHabits {
    const key = `${server}\n${model}`;
    const known = this.known.get(key);
    if (known) return known;
    const beginning = isPlain(server, model) ? 'plain' : 'unknown';
    const habits: ModelHabits = { form: firstForm(outputLimit), beginning, heldInVain: 0 };
    this.known.set(key, habits);
    return habits;
  }
}

/** Takes note of a whole answer. @param hasLoneEnd whether it began with a thought that it only ended */
export function noteBeginning(habits: ModelHabits, hasLoneEnd: boolean): void {
  if (hasLoneEnd) {
    habits.beginning = 'lone-end';
    habits.heldInVain = 0;
  } else if (habits.beginning === 'unknown' || ++habits.heldInVain >= MAX_HELD_IN_VAIN)
    habits.beginning = 'plain';
}

function isPlain(server: string, model: string): boolean {
  const { hostname } = new URL(server);
  if (SEPARATING_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return true;
  return PLAIN_MODEL.test(model) && !THINKING_MODEL.test(model);
}
