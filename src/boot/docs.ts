import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { SESSION_COOKIE } from '../common/auth/session-cookie.js';
import {
  ErrorResponse,
  MessageResponse,
  RefusedResponse,
  StatusErrorResponse,
  ValidationErrorResponse,
} from '../common/http/api-docs.js';
import { addErrorExamples } from './openapi/error-examples.js';
import { addExamples } from './openapi/examples.js';
import { addGeneralErrors } from './openapi/general-errors.js';
import { allowMissingBodies } from './openapi/optional-bodies.js';

const DESCRIPTION = `
Self-hosted platform for AI voice and chat assistants.

Send \`Authorization: Bearer <token>\` to \`/api/user/…\` (an API key or a session token) and to \`/api/automate/…\`
(an API key). Conversations need no token: their UUID is the capability.
`;

/** Swagger UI at \`/docs\`, the document at \`/docs-json\`. */
export function serveDocs(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => openApiOf(app), {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
    customSiteTitle: 'Prosa API',
    swaggerOptions: {
      persistAuthorization: true,
      validatorUrl: null,
      displayRequestDuration: true,
      tagsSorter: 'alpha',
    },
  });
}

/** The document of the running routes. What any route may answer, and the examples, are filled in here once. */
export function openApiOf(app: NestExpressApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Prosa')
    .setDescription(DESCRIPTION)
    .setVersion('1.0')
    .addServer('/', 'This installation')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'API key or session token' }, 'user')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'API key' }, 'automate')
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', description: 'Session of a browser' }, 'session')
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    extraModels: [
      MessageResponse,
      ErrorResponse,
      StatusErrorResponse,
      RefusedResponse,
      ValidationErrorResponse,
    ],
  });
  allowMissingBodies(document);
  addGeneralErrors(document);
  addErrorExamples(document);
  addExamples(document);
  return document;
}
