import { context, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  ParentBasedSampler,
  RandomIdGenerator,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { traceWith } from '../common/observability/tracing.js';
import type { TracingConfig } from '../config/config.js';

/** What is left of the spans is sent for at most this long at the end of the process. */
const FLUSH_MS = 3_000;

export interface Tracing {
  /** Sends what is left. Never fails: a collector that is away must not keep a process from ending. */
  stop(): Promise<void>;
}

/** Ids that were decided elsewhere, for one span. */
class GivenIds implements IdGenerator {
  given: SpanContext | null = null;
  private readonly random = new RandomIdGenerator();

  generateTraceId(): string {
    return this.given?.traceId ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.given?.spanId ?? this.random.generateSpanId();
  }
}

/**
 * Sends traces to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`, in batches, of which the newest are dropped when the
 * collector does not keep up. The provider is not made the global one: libraries that trace by themselves would send what
 * people say.
 *
 * @param seed a secret of the installation, see {@link TracingBackend.seed}
 * @param processor takes the spans, instead of a collector
 */
export function startTracing(
  config: TracingConfig,
  seed: string,
  processor: SpanProcessor = new BatchSpanProcessor(new OTLPTraceExporter()),
): Tracing {
  const ids = new GivenIds();
  // By the trace's id alone, so that all processes decide alike about a call.
  const sampler = new TraceIdRatioBasedSampler(config.ratio);
  const provider = new NodeTracerProvider({
    // The environment wins: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
    resource: resourceFromAttributes({ 'service.name': 'prosa' }).merge(defaultResource()),
    sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
    idGenerator: ids,
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer('prosa');
  traceWith({
    tracer,
    seed,
    startAs: (given, name, options) => {
      ids.given = given;
      try {
        return tracer.startSpan(name, { ...options, root: true });
      } finally {
        ids.given = null;
      }
    },
  });
  return {
    stop: async () => {
      traceWith(null);
      const given = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), given]);
      context.disable();
    },
  };
}
