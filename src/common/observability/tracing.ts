import { createHmac } from 'node:crypto';
import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type SpanOptions,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';

/** What spans go to. Attributes name kinds, codes and ids: never what people say, their numbers, or values of queries. */
export interface TracingBackend {
  readonly tracer: Tracer;
  /** Begins the one span of the given ids. */
  startAs(ids: SpanContext, name: string, options: SpanOptions): Span;
  /** Tells the calls of this installation from those of others; the same in all of its processes. */
  readonly seed: string;
}

/** Null: nothing is traced, which costs one comparison a place. */
let backend: TracingBackend | null = null;

/** Has everything traced from here on; null ends it. */
export function traceWith(next: TracingBackend | null): void {
  backend = next;
}

export function isTracing(): boolean {
  return backend !== null;
}

/** Whether this is done within a span: what is too small for a trace of its own is recorded there alone. */
export function isWithinSpan(): boolean {
  return backend !== null && trace.getActiveSpan() !== undefined;
}

/** Does a piece of work in a span of its own, below the one that it is done in. */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind = SpanKind.INTERNAL,
): Promise<T> {
  if (!backend) return work();
  return recording(backend.tracer.startSpan(name, { attributes, kind }), work);
}

/**
 * Does a piece of work for a call, in the trace of that call, which several processes share: placing, talking,
 * evaluating and notifying. A link leads to the trace it comes from.
 */
export function inCallSpan<T>(
  callId: number,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!backend) return work();
  const from = trace.getActiveSpan()?.spanContext();
  const ids = idsOfCall(callId, backend.seed);
  const links = from && from.traceId !== ids.traceId ? [{ context: from }] : [];
  const options = { attributes: { ...attributes, 'prosa.call.id': callId }, links };
  const parent = trace.setSpanContext(ROOT_CONTEXT, { ...ids, isRemote: true });
  return recording(backend.tracer.startSpan(name, options, parent), work);
}

/** The span that all others of a call are below, once the call is over. */
export function recordCall(callId: number, startedAt: Date, attributes: Attributes): void {
  if (!backend) return;
  const options = { startTime: startedAt, attributes: { ...attributes, 'prosa.call.id': callId } };
  backend.startAs(idsOfCall(callId, backend.seed), 'call', options).end();
}

/** A span that its creator ends; null while nothing is traced. */
export function beginSpan(name: string, attributes: Attributes, options: SpanOptions = {}): Span | null {
  return backend?.tracer.startSpan(name, { ...options, attributes }) ?? null;
}

/** Marks a span as failed. The words of an error may hold anything, so only its kind is recorded. */
export function markFailed(span: Span, error: unknown): void {
  const { name, code } =
    error instanceof Error ? (error as Error & { code?: unknown }) : { name: typeof error };
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

async function recording<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function idsOfCall(callId: number, seed: string): SpanContext {
  const hex = createHmac('sha256', seed).update(`call ${callId}`).digest('hex');
  return { traceId: hex.slice(0, 32), spanId: hex.slice(32, 48), traceFlags: TraceFlags.SAMPLED };
}
