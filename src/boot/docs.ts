import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  DocumentBuilder,
  type OpenAPIObject,
  type SecuritySchemeObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { SESSION_COOKIE } from '../common/auth/session-cookie.js';
import {
  ErrorResponse,
  MessageResponse,
  RefusedResponse,
  StatusErrorResponse,
  StatusTooManyRequestsResponse,
  TooManyRequestsResponse,
  ValidationErrorResponse,
} from '../common/http/api-docs.js';
import type { Feature } from '../feature.js';
import { features } from '../features.js';
import { prosaVersion } from '../config/prosa-version.js';
import { nameComponents } from './openapi/components.js';
import { addErrorExamples } from './openapi/error-examples.js';
import { addExamples } from './openapi/examples.js';
import { describeFileBodies } from './openapi/file-bodies.js';
import { addGeneralErrors } from './openapi/general-errors.js';
import { toOpenApi31 } from './openapi/openapi31.js';
import { allowMissingBodies } from './openapi/optional-bodies.js';
import { openPublicOperations } from './openapi/public-operations.js';
import { addScopes } from './openapi/scopes.js';
import { dropDefaultsOfUpdates } from './openapi/update-defaults.js';
import { addWebhooks } from './openapi/webhooks.js';

const DESCRIPTION = `
Self-hosted platform for AI voice and chat assistants.

Send \`Authorization: Bearer <token>\` to \`/api/user/…\` (an API key or a session token) and to \`/api/automate/…\`
(an API key). Conversations need no token: their UUID is the capability.
`;

/** Swagger UI at \`/docs\`, the document at \`/docs-json\`. */
export function serveDocs(app: NestExpressApplication, plugins: readonly Feature[]): void {
  SwaggerModule.setup('docs', app, () => openApiOf(app, plugins), {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
    customSiteTitle: 'Prosa API',
    swaggerOptions: {
      persistAuthorization: true,
      validatorUrl: null,
      displayRequestDuration: true,
      requestInterceptor: sendJson,
    },
  });
}

/**
 * Runs in the page, as text. Reading a tool needs a `Content-Type` although there is no body, and a page that follows OpenAPI
 * sends none.
 */
function sendJson(request: { headers: Record<string, string>; body?: unknown }): object {
  if (request.body === undefined) request.headers['Content-Type'] ??= 'application/json';
  return request;
}

/** The document of the running routes. What any route may answer, and the examples, are filled in here once. */
export function openApiOf(app: NestExpressApplication, plugins: readonly Feature[] = []): OpenAPIObject {
  const all = [...features, ...plugins];
  const options = new DocumentBuilder()
    .setTitle('Prosa')
    .setDescription(DESCRIPTION)
    .setVersion(prosaVersion)
    .addServer('/', 'This installation')
    .addBearerAuth(bearer('API key or session token'), 'user')
    .addBearerAuth(bearer('API key'), 'automate')
    .addCookieAuth(
      SESSION_COOKIE,
      { type: 'apiKey', description: 'Session of a browser; on https the name is `__Host-prosa_session`' },
      'session',
    );
  for (const { name, description } of all.flatMap(({ tags = [] }) => tags)) options.addTag(name, description);
  const document = SwaggerModule.createDocument(app, options.build(), {
    extraModels: [
      MessageResponse,
      ErrorResponse,
      StatusErrorResponse,
      StatusTooManyRequestsResponse,
      TooManyRequestsResponse,
      RefusedResponse,
      ValidationErrorResponse,
      ...all.flatMap(({ tools = [] }) => tools.map(({ form }) => form)),
      ...all.flatMap(({ webhookEvents = [] }) => webhookEvents.map(({ payload }) => payload)),
    ],
  });
  allowMissingBodies(document);
  describeFileBodies(document);
  addGeneralErrors(document);
  addScopes(document);
  addErrorExamples(
    document,
    all.flatMap(({ errorExamples = [] }) => errorExamples),
  );
  addWebhooks(document);
  addExamples(document);
  dropDefaultsOfUpdates(document);
  openPublicOperations(document);
  const whole = toOpenApi31(document);
  nameComponents(whole);
  return whole;
}

/** Opaque tokens: the framework would call them JWT. */
function bearer(description: string): SecuritySchemeObject {
  return { type: 'http', scheme: 'bearer', bearerFormat: 'opaque', description };
}
