import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject, RequestBodyObject, ResponseObject } from '@nestjs/swagger';
import { type TestAccount, TestApp } from '../support/app.js';
import type { DocumentedRoute } from '../support/contract-check.js';
import { routesOfRouter } from '../support/router-routes.js';

const nameOf = ({ method, path }: Pick<DocumentedRoute, 'method' | 'path'>) =>
  `${method.toUpperCase()} ${path}`;

describe('The OpenAPI document', () => {
  let app: TestApp;
  let document: OpenAPIObject;
  let routes: readonly DocumentedRoute[];

  beforeAll(async () => {
    app = await TestApp.start();
    const { body } = await app.http.get('/docs-json').expect(200);
    document = body;
    routes = app.contract.routes;
  });
  afterAll(() => app.stop());

  /** Names of the operations that break a rule. */
  const offenders = (breaks: (route: DocumentedRoute) => boolean) => routes.filter(breaks).map(nameOf);

  it('is valid OpenAPI 3', async () => {
    const api = await SwaggerParser.validate(structuredClone(document) as never);
    expect(api).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
  });

  it('names exactly the routes of the running app', () => {
    const served = routesOfRouter(app.app)
      .filter(({ path }) => !path.startsWith('/docs'))
      .map(nameOf);
    expect(routes.map(nameOf).sort()).toEqual(served.sort());
    expect(routes.length).toBeGreaterThan(40);
  });

  it('has operation ids that are unique names of functions', () => {
    const ids = routes.map(({ operation }) => operation.operationId ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  });

  it('has a summary and a tag for each operation', () => {
    expect(offenders(({ operation }) => !operation.summary || !operation.tags?.length)).toEqual([]);
  });

  it('asks for a token on /user and /automate, and on nothing else that has none', () => {
    const schemes = Object.keys(document.components?.securitySchemes ?? {});
    expect(schemes.sort()).toEqual(['automate', 'session', 'user']);
    const needed = (path: string) => {
      if (path.startsWith('/api/user/')) return [{ session: [] }, { user: [] }];
      return path.startsWith('/api/automate/') ? [{ automate: [] }] : null;
    };
    expect(
      offenders(({ path, operation }) => {
        const schemes = needed(path);
        return (
          schemes !== null &&
          !isDeepStrictEqual(new Set<object>(operation.security), new Set<object>(schemes))
        );
      }),
    ).toEqual([]);
  });

  it('has a schema for each request body and an integer or a UUID for each id of a path', () => {
    expect(
      offenders(({ operation }) => {
        const body = operation.requestBody as RequestBodyObject | undefined;
        return body !== undefined && Object.values(body.content).some(({ schema }) => !schema);
      }),
    ).toEqual([]);
    const ids = routes.flatMap((route) =>
      (route.operation.parameters ?? []).flatMap((each) =>
        'in' in each && each.in === 'path' ? [{ route: nameOf(route), schema: each.schema as object }] : [],
      ),
    );
    for (const { schema } of ids) {
      expect([
        expect.objectContaining({ type: 'integer' }),
        expect.objectContaining({ type: 'string', format: 'uuid' }),
      ]).toContainEqual(schema);
    }
  });

  it('names null among the values of each field that takes one of several or null', () => {
    const wrong: string[] = [];
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { nullable, enum: values } = value as { nullable?: boolean; enum?: unknown };
      if (nullable && Array.isArray(values) && !values.includes(null)) wrong.push(place);
      for (const [key, part] of Object.entries(value)) visit(part, `${place}/${key}`);
    };
    visit(document.components?.schemas, '');
    visit(document.paths, '');
    expect(wrong).toEqual([]);
  });

  it('asks for a body only where it has a required field', () => {
    expect(
      offenders(({ operation }) => {
        const body = operation.requestBody as RequestBodyObject | undefined;
        const schema = body?.content['application/json']?.schema;
        if (!body || !schema) return false;
        const whole = '$ref' in schema ? app.contract.resolve(schema) : schema;
        return (body.required ?? false) !== Boolean(whole.required?.length);
      }),
    ).toEqual([]);
  });

  it('documents a success and what any route may answer, for each operation', () => {
    const general = (path: string) => (path.startsWith('/api/') ? ['400', '413', '429', '500', '503'] : []);
    expect(
      offenders(({ path, operation }) => {
        const statuses = Object.keys(operation.responses);
        return (
          !statuses.some((status) => status.startsWith('2')) ||
          general(path).some((each) => !statuses.includes(each))
        );
      }),
    ).toEqual([]);
  });

  it('documents 401 where a token is asked for, and 422 where there is input', () => {
    expect(
      offenders(({ operation: { security, requestBody, parameters = [], responses } }) => {
        const hasInput =
          requestBody !== undefined || parameters.some((each) => 'in' in each && each.in === 'query');
        return (Boolean(security?.length) && !responses['401']) || (hasInput && !responses['422']);
      }),
    ).toEqual([]);
  });

  it('has an example for each JSON body, and each fits its schema', () => {
    const problems = routes.flatMap((route) => {
      const bodies = [route.operation.requestBody, ...Object.values(route.operation.responses)] as (
        RequestBodyObject | ResponseObject | undefined
      )[];
      return bodies.flatMap((body) => {
        const media = body?.content?.['application/json'];
        if (!media?.schema) return [];
        const problem =
          media.example === undefined ? 'no example' : app.contract.mismatchOf(media.schema, media.example);
        return problem ? [`${nameOf(route)}: ${problem} ${JSON.stringify(media.example)}`] : [];
      });
    });
    expect(problems).toEqual([]);
  });

  it('shows no text in an example that nobody has thought of', () => {
    const bodies = routes.flatMap(({ operation }) => [
      operation.requestBody,
      ...Object.values(operation.responses),
    ]);
    const examples = (bodies as (RequestBodyObject | undefined)[]).map(
      (body) => body?.content?.['application/json']?.example as unknown,
    );
    const fields = [...JSON.stringify(examples).matchAll(/"(\w+)":"string"/g)].map(([, field]) => field);
    expect(fields.filter((field) => field !== 'type')).toEqual([]);
  });

  describe('examples of errors', () => {
    let stranger: TestAccount;

    let knowledgebase: number;

    beforeAll(async () => {
      stranger = await app.account({ balanceUsd: 1 });
      const { body } = await app.as(stranger).post('/api/user/knowledgebases').send({ name: 'Own' });
      knowledgebase = body.data.id;
    });

    const exampleOf = ({ operation }: DocumentedRoute, status: number): unknown =>
      (operation.responses[status] as ResponseObject | undefined)?.content?.['application/json']?.example;
    /** The path of a resource that is missing, under one that is not. */
    const missingPath = (path: string) =>
      path
        .replace(/\{knowledgebaseId\}(?=.*\{)/, String(knowledgebase))
        .replace('{uuid}', randomUUID())
        .replaceAll(/\{\w+\}/g, '2147483000');
    const send = (route: DocumentedRoute, body?: object) =>
      app
        .as(stranger)
        [route.method as 'post'](missingPath(route.path))
        .set('Content-Type', 'application/json')
        .set('Accept', 'application/json')
        .send(body);

    it('show no text of a success', () => {
      const shown = routes.flatMap(({ operation }) =>
        Object.entries(operation.responses)
          .filter(([status]) => Number(status) >= 400)
          .map(([, response]) => (response as ResponseObject).content?.['application/json']?.example),
      );
      expect(shown.length).toBeGreaterThan(700);
      expect(JSON.stringify(shown)).not.toContain('sucesso');
    });

    it('are what a missing resource is answered with', async () => {
      const some = routes.filter(
        (route) => route.path.includes('{') && exampleOf(route, 404) && !route.path.endsWith('/import'),
      );
      expect(some.length).toBeGreaterThan(50);
      const wrong: object[] = [];
      for (const route of some) {
        const request = (route.operation.requestBody as RequestBodyObject | undefined)?.content;
        const { status, body } = await send(route, request?.['application/json']?.example as object);
        // A route of events alone asks for them first.
        if (status === 406) continue;
        if (!isDeepStrictEqual([status, body], [404, exampleOf(route, 404)])) {
          wrong.push({ route: nameOf(route), answer: [status, body], example: exampleOf(route, 404) });
        }
      }
      expect(wrong).toEqual([]);
    });

    it('are what an empty body is answered with', async () => {
      const some = routes.filter(({ operation, path }) => {
        const schema = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json']
          ?.schema;
        const whole = schema && '$ref' in schema ? app.contract.resolve(schema) : schema;
        return Boolean(whole?.required?.length) && !path.startsWith('/api/auth/');
      });
      expect(some.length).toBeGreaterThan(20);
      const wrong: object[] = [];
      for (const route of some) {
        const { status, body } = await send(route, {});
        if (!isDeepStrictEqual([status, body], [422, exampleOf(route, 422)])) {
          wrong.push({ route: nameOf(route), answer: [status, body], example: exampleOf(route, 422) });
        }
      }
      expect(wrong).toEqual([]);
    });

    it('are what a request without a token is answered with', async () => {
      const some = routes.filter(({ path }) => /^\/api\/(user|automate)\//.test(path));
      expect(some.length).toBeGreaterThan(80);
      for (const route of some) {
        const { body } = await app.http[route.method as 'get'](missingPath(route.path)).expect(401);
        expect({ route: nameOf(route), body }).toEqual({ route: nameOf(route), body: exampleOf(route, 401) });
      }
    });
  });
});
