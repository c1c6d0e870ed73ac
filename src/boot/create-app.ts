import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type AppSettings } from '../app.module.js';
import { ERROR_HEADER } from '../common/errors/error-header.js';
import { ErrorFilter } from '../common/errors/error-filter.js';
import { BodyDeadline } from '../common/http/connections/body-deadline.js';
import { answerClientErrors } from '../common/http/requests/client-errors.js';
import { IGNORED_FIELDS, IgnoredFieldsGuard } from '../common/http/requests/ignored-fields.guard.js';
import { limitConnections } from '../common/http/connections/connection-limits.js';
import { DrainService } from '../common/http/connections/drain.service.js';
import { warnOfUnknownProxy } from '../common/http/connections/unknown-proxy.js';
import { markUnreadBody } from '../common/http/connections/unread-body.js';
import { securityHeaders } from '../common/http/security-headers.js';
import { RequestValidationPipe } from '../common/http/validation.pipe.js';
import { rememberBodyHash } from '../modules/idempotency/body-hash.js';
import { TwilioCallbacksService } from '../modules/voice-workers/twilio/twilio-callbacks.service.js';
import { RateLimitsService } from '../common/limits/rate-limits.service.js';
import { MetricsService } from '../common/observability/metrics.service.js';
import { assignRequestId } from '../common/observability/request-id.js';
import { traceRequests } from '../common/observability/trace-requests.js';
import { serveConsole } from './pages/console.js';
import { HttpAdapter } from './http-adapter.js';
import { serveDocs } from './docs.js';
import { servePages } from './pages/talk-page.js';
import { servePluginPages } from './pages/plugin-pages.js';
import { namingPlugin } from '../plugins/plugin-dependencies.js';
import { surfaceGate } from './surfaces.js';
import { serveWidget } from './pages/widget.js';

/** Where the routes are, but for those of the operator. */
export const API_PREFIX: Parameters<NestExpressApplication['setGlobalPrefix']> = [
  'api',
  { exclude: ['health/live', 'health/ready', 'metrics'] },
];
const JSON_BODY = { limit: '1mb', verify: rememberBodyHash };
/** What a page of another origin may read of an answer, beyond its body. */
const EXPOSED_HEADERS = [
  'Idempotent-Replayed',
  IGNORED_FIELDS,
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  ERROR_HEADER,
  'X-Request-Id',
];

/** Builds the application as it runs in production; tests use the same one. */
export async function createApp(settings: AppSettings): Promise<NestExpressApplication> {
  const { config, logger, plugins = [] } = settings;
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings), new HttpAdapter(), {
    logger,
    bodyParser: false,
    abortOnError: false,
  }).catch((error: unknown) => {
    throw namingPlugin(error, plugins);
  });
  limitConnections(app.getHttpServer(), config.server, logger);
  answerClientErrors(app.getHttpServer());
  app.set('trust proxy', config.server.trustProxy);
  app.disable('x-powered-by');
  // Answers are made anew each time: hashing them costs more than the rare client that asks again would save.
  app.set('etag', false);
  app.use(
    assignRequestId,
    traceRequests,
    app.get(MetricsService).middleware,
    app.get(DrainService).middleware,
  );
  app.use(securityHeaders);
  app.enableCors({
    origin: config.server.corsOrigins.includes('*') ? '*' : [...config.server.corsOrigins],
    exposedHeaders: EXPOSED_HEADERS,
  });
  app.use(surfaceGate(config.server));
  app.use(warnOfUnknownProxy(config.server, logger));
  servePages(app);
  serveConsole(app);
  serveWidget(app);
  servePluginPages(app, plugins);
  app.use(app.get(TwilioCallbacksService).middleware);
  // After CORS, so that a browser can read a refusal; before the body, so that a flood is not parsed.
  app.use(app.get(RateLimitsService).middleware);
  app.use(app.get(BodyDeadline).middleware);
  app.useBodyParser('json', JSON_BODY);
  app.use(markUnreadBody);
  app.setGlobalPrefix(...API_PREFIX);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalGuards(new IgnoredFieldsGuard());
  app.useGlobalFilters(new ErrorFilter(logger));
  if (config.server.docs !== 'off') serveDocs(app, plugins);
  return app;
}
