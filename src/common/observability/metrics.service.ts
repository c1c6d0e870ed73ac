import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { BoundedQuestion } from '../concurrency/bounded-question.js';
import { registerEventLoopLag, SAMPLE_NEVER_MS } from './event-loop-lag.js';
import { Logger } from './logger.js';
import { routeOf } from './route-of.js';

const HTTP_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** Counts events, or measures them, by labels whose values come from fixed lists. */
export interface Measure {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** A reading that takes longer is left out. */
const READ_MS = 1_000;

interface Value {
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** A measure that is taken when the metrics are read. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  /** Their values come from fixed lists. */
  readonly labelNames: readonly string[];
  /** The value for each combination of labels. */
  readonly read: () => Promise<readonly Value[]>;
}

/** What `/metrics` shows. One registry an app, so that several apps in one process do not mix. */
@Injectable()
export class MetricsService {
  private readonly registry = new Registry();
  private readonly httpSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_BUCKETS_SECONDS,
    registers: [this.registry],
  });
  private readonly visitorRefusals = new Counter({
    name: 'prosa_visitor_refusals_total',
    help: 'Requests of visitors that a limit of an assistant or account has refused',
    labelNames: ['limit'],
    registers: [this.registry],
  });

  constructor(logger: Logger) {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: SAMPLE_NEVER_MS });
    registerEventLoopLag(this.registry);
    const droppedLines = new Counter({
      name: 'prosa_log_lines_dropped_total',
      help: 'Lines of the log that were dropped because it could not be written',
      registers: [],
      collect() {
        this.reset();
        this.inc(logger.linesDropped);
      },
    });
    this.registry.registerMetric(droppedLines);
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      this.httpSeconds.observe(
        { method: request.method, route: routeOf(request) ?? 'none', status: String(response.statusCode) },
        (performance.now() - startedAt) / 1000,
      );
    });
    next();
  };

  /** @param limit a name from a fixed list */
  countVisitorRefusal(limit: string): void {
    this.visitorRefusals.inc({ limit });
  }

  /** Adds a counter; the function counts one event. */
  counter({ name, help, labelNames }: Measure): (labels: Record<string, string>) => void {
    const counter = new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
    return (labels) => counter.inc(labels);
  }

  /** Adds a histogram; the function takes one value. */
  histogram(
    { name, help, labelNames }: Measure,
    buckets: readonly number[],
  ): (labels: Record<string, string>, value: number) => void {
    const histogram: Histogram = new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: [...buckets],
      registers: [this.registry],
    });
    return (labels, value) => histogram.observe(labels, value);
  }

  /** Adds a counter whose totals since the start of the process are taken when the metrics are read. */
  total({ name, help, labelNames, read }: Reading): void {
    const values = new BoundedQuestion(read, READ_MS, []);
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        const taken = await values.ask();
        counter.reset();
        for (const { labels, value } of taken) counter.inc(labels, value);
      },
    });
  }

  /** Adds a measure. One that cannot be taken within a second is left out, so that the others are still shown. */
  gauge({ name, help, labelNames, read }: Reading): void {
    const values = new BoundedQuestion(read, READ_MS, []);
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        const taken = await values.ask();
        gauge.reset();
        // The library puts a zero in the place of a gauge without labels, which nothing has measured.
        if (labelNames.length === 0) gauge.remove();
        for (const { labels, value } of taken) gauge.set(labels, value);
      },
    });
  }

  read(): Promise<string> {
    return this.registry.metrics();
  }
}
