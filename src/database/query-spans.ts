import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { AfterQueryEvent } from 'typeorm/subscriber/event/QueryEvent.js';
import type { EntitySubscriberInterface } from 'typeorm';
import { beginSpan, inSpan, isWithinSpan } from '../common/observability/tracing.js';

const MAX_TEXT = 2_000;

/** A span for each statement that is run through the ORM within another span. Statements carry no values, but `$1`. */
export class QuerySpans implements EntitySubscriberInterface {
  afterQuery({ query, success, executionTime = 0 }: AfterQueryEvent): void {
    if (!isWithinSpan()) return;
    const span = beginSpan(nameOf(query), attributesOf(query), {
      kind: SpanKind.CLIENT,
      startTime: Date.now() - executionTime,
    });
    if (!success) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }
}

/** The same for a statement that goes to the driver itself. */
export function inQuerySpan<T>(sql: string, run: () => Promise<T>): Promise<T> {
  return isWithinSpan() ? inSpan(nameOf(sql), attributesOf(sql), run, SpanKind.CLIENT) : run();
}

function nameOf(sql: string): string {
  return `query ${/\w+/.exec(sql)?.[0].toUpperCase() ?? ''}`.trim();
}

function attributesOf(sql: string) {
  return { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, MAX_TEXT) };
}
