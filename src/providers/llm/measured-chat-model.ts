import { MetricsService } from '../../common/observability/metrics.service.js';
import { beginSpan, markFailed } from '../../common/observability/tracing.js';
import type { ChatChunk, ChatModel, ChatRequest, ChatStreamOptions } from './chat-model.js';
import { ModelError } from './model-error.js';

const BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 60];

/** Response times and results of model requests; one instance for all models of a process. */
export class ChatModelMetrics {
  readonly took: (labels: { provider: string; part: string }, seconds: number) => void;
  readonly asked: (labels: { provider: string; result: string }) => void;

  constructor(metrics: MetricsService) {
    this.took = metrics.histogram(
      {
        name: 'prosa_model_seconds',
        help: 'From the request to a model to its first chunk (first) and to the end of its answer (whole)',
        labelNames: ['provider', 'part'],
      },
      BUCKETS_SECONDS,
    );
    this.asked = metrics.counter({
      name: 'prosa_model_requests_total',
      help: 'Requests to models by result: done, left (the reader left), or the kind of error',
      labelNames: ['provider', 'result'],
    });
  }
}

/** A chat model whose answers are measured, in chats and on calls alike. */
export class MeasuredChatModel implements ChatModel {
  readonly provider: ChatModel['provider'];
  readonly capabilities: ChatModel['capabilities'];

  /** @param label what the metrics call it; left out, its provider */
  constructor(
    private readonly model: ChatModel,
    private readonly metrics: ChatModelMetrics,
    private readonly label: string = model.provider,
  ) {
    this.provider = model.provider;
    this.capabilities = model.capabilities;
  }

  async *stream(request: ChatRequest, options?: ChatStreamOptions): AsyncGenerator<ChatChunk> {
    const { provider: named, label: provider } = this;
    const startedAt = performance.now();
    let isFirst = true;
    let result = 'left';
    const span = beginSpan('model', {
      'gen_ai.provider.name': named,
      'gen_ai.request.model': request.model,
    });
    try {
      for await (const chunk of this.model.stream(request, options)) {
        if (isFirst) {
          this.metrics.took({ provider, part: 'first' }, secondsSince(startedAt));
          span?.addEvent('first chunk');
        }
        isFirst = false;
        if (chunk.type === 'finish') {
          result = 'done';
          this.metrics.took({ provider, part: 'whole' }, secondsSince(startedAt));
        }
        yield chunk;
      }
    } catch (error) {
      result = error instanceof ModelError ? error.code : 'unknown';
      if (span) markFailed(span, error);
      throw error;
    } finally {
      span?.end();
      this.metrics.asked({ provider, result });
    }
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
