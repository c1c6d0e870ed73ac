import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { limitReachedPayload } from '../../src/modules/alerts/limit-reached-payload.js';
import { Call } from '../../src/modules/calls/call.entity.js';
import { callWebhookPayload } from '../../src/modules/call-completion/call-webhook-payload.js';
import { conversationEndedPayload } from '../../src/modules/conversations/endings/conversation-ended-payload.js';
import type { Conversation } from '../../src/modules/conversations/conversation.entity.js';
import type { Message } from '../../src/modules/conversations/message.entity.js';
import { WEBHOOK_KINDS } from '../../src/modules/webhooks/webhook-kinds.js';
import { prosaVersion } from '../../src/config/prosa-version.js';
import { type TestAccount, TestApp } from '../support/app.js';
import type { DocumentedRoute } from '../../src/contract/contract-check.js';
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

  // spec: conventions.paths-relative-base_url, versioning.paths-carry-no
  it('names exactly the routes of the running app, without the metrics of the operator', () => {
    const served = routesOfRouter(app.app)
      .filter(({ path }) => !path.startsWith('/docs') && path !== '/metrics')
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

  // spec: authentication.user-takes-authorization, authentication.token-value-key
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

  // spec: conventions.ids-user-paths
  it('has a schema for each request body and an integer, a UUID or a few names for each place of a path', () => {
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
        expect.objectContaining({ type: 'string', enum: expect.any(Array) }),
      ]).toContainEqual('$ref' in schema ? app.contract.resolve(schema as ReferenceObject) : schema);
    }
  });

  it('names null among the values of each field that takes one of several or null', () => {
    const wrong: string[] = [];
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, enum: values } = value as { type?: unknown; enum?: unknown };
      if (Array.isArray(type) && type.includes('null') && Array.isArray(values) && !values.includes(null))
        wrong.push(place);
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

  it('has no default in the body of an update, which leaves what is not sent as it was', () => {
    expect(
      offenders(({ method, operation }) => {
        const body = operation.requestBody as RequestBodyObject | undefined;
        const schema = body?.content['application/json']?.schema;
        if (method !== 'put' || !schema) return false;
        const { properties = {} } = '$ref' in schema ? app.contract.resolve(schema) : schema;
        return Object.values(properties).some((property) => 'default' in property);
      }),
    ).toEqual([]);
  });

  it('documents a success and what any route may answer, for each operation', () => {
    const general = (path: string) => (path.startsWith('/api/') ? ['400', '413', '429', '500', '503'] : []);
    expect(
      offenders(({ path, operation }) => {
        const statuses = Object.keys(operation.responses);
        return (
          !statuses.some((status) => /^(2|302)/.test(status)) ||
          general(path).some((each) => !statuses.includes(each))
        );
      }),
    ).toEqual([]);
  });

  // spec: errors.message-errors-field
  it('documents 401 where a token is asked for, and 422 where there is input', () => {
    expect(
      offenders(({ operation: { security, requestBody, parameters = [], responses } }) => {
        const hasInput =
          requestBody !== undefined || parameters.some((each) => 'in' in each && each.in === 'query');
        return (Boolean(security?.length) && !responses['401']) || (hasInput && !responses['422']);
      }),
    ).toEqual([]);
  });

  // spec: conventions.all-request-response, conventions.timestamps-iso-8601
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

  it('shows only texts in examples that an author has written', () => {
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

  it('describes the payload of every webhook, as it is really sent', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([...WEBHOOK_KINDS]);
    const schemaOf = (kind: string) => {
      const webhook = document.webhooks?.[kind] as { post: OperationObject } | undefined;
      const media = (webhook?.post.requestBody as RequestBodyObject | undefined)?.content['application/json'];
      expect(app.contract.mismatchOf(media?.schema as SchemaObject, media?.example)).toBeNull();
      return media?.schema as SchemaObject;
    };
    const at = new Date();
    const call = Object.assign(new Call(), {
      id: 1,
      clientPhoneNumber: '+5511912345678',
      assistantPhoneNumber: null,
      durationSeconds: 3,
      status: 'completed',
      evaluation: { sold: true },
      inputVariables: {},
      transcript: 'AI: Oi',
      createdAt: at,
      updatedAt: at,
    });
    const url = 'https://prosa.example/api/recordings/1?expires=1769968800&signature=x';
    for (const recording of [null, { url }, { url: null }]) {
      const payload = callWebhookPayload(call, { lead: null, campaign: { id: 1 } }, recording);
      expect(app.contract.mismatchOf(schemaOf('post-call'), payload)).toBeNull();
      expect(app.contract.mismatchOf(schemaOf('inbound'), payload)).toBeNull();
    }
    const id = randomUUID();
    const message = { role: 'user', author: 'customer', content: 'Oi', createdAt: at } as Message;
    const ended = conversationEndedPayload(
      {
        number: 1,
        id,
        type: 'widget',
        messageCount: 1,
        variables: {},
        createdAt: at,
        endedAt: at,
        extractedVariables: { status: true, summary: 'Oi', mesas: 2 },
      } as unknown as Conversation & { endedAt: Date },
      [message],
      { uuid: id, timezone: 'America/Sao_Paulo' },
    );
    expect(app.contract.mismatchOf(schemaOf('conversation-ended'), ended)).toBeNull();
    const reached = limitReachedPayload(
      { id: 1, createdAt: at, resetsAt: at },
      {
        userId: 1,
        limit: 'messages_per_hour',
        value: 500,
        isOfAccount: false,
        resetsInSeconds: 9,
        assistant: { id: 1, uuid: id, name: 'Loja' },
        webhookUrl: null,
      },
    );
    expect(app.contract.mismatchOf(schemaOf('limit-reached'), reached)).toBeNull();
  });

  it('describes every field and every parameter', () => {
    const fields = Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) =>
      Object.entries(('properties' in schema && schema.properties) || {}).flatMap(([field, property]) =>
        '$ref' in property || property.description ? [] : [`${name}.${field}`],
      ),
    );
    expect(fields).toEqual([]);
    expect(
      offenders(({ operation: { parameters = [] } }) =>
        parameters.some((each) => 'name' in each && !each.description),
      ),
    ).toEqual([]);
  });

  it('puts the tags in order, each with a text, and no operation under another', () => {
    const tags = document.tags ?? [];
    expect(tags.filter(({ description }) => !description)).toEqual([]);
    const used = new Set([...routes.flatMap(({ operation }) => operation.tags ?? []), 'Webhook events']);
    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    expect(tags[0]?.name).toBe('Account');
  });

  it('does not call opaque tokens JWT', () => {
    expect(JSON.stringify(document.components?.securitySchemes)).not.toContain('JWT');
  });

  it('says of the one route that asks for headers, which OpenAPI has no parameters for, that it does', async () => {
    const tool = routes.find(({ operation }) => operation.operationId === 'getTool');
    expect(tool?.operation.description).toMatch(
      /`Content-Type: application\/json` and `Accept: application\/json`/,
    );
    const page = await app.http.get('/docs/swagger-ui-init.js').expect(200);
    expect(page.text).toContain("headers['Content-Type'] ??= 'application/json'");
  });

  it('has the version of the product', () => {
    expect(document.info.version).toBe(prosaVersion);
  });

  it('names each body, each list of values and each error body that operations share once', () => {
    const inline: string[] = [];
    const values = new Map<string, string[]>();
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { enum: list, ...parts } = value as { enum?: unknown[] };
      const texts = list?.filter((each) => typeof each === 'string') ?? [];
      if (texts.length > 1) values.set(texts.join(), [...(values.get(texts.join()) ?? []), place]);
      for (const [key, part] of Object.entries(parts)) {
        if (!/^(examples?|default)$/.test(key)) visit(part, `${place}/${key}`);
      }
    };
    visit(document.components?.schemas, 'schemas');
    visit(document.paths, 'paths');
    for (const [list, places] of values) if (places.length > 1) inline.push(`${list}: ${places.join(' ')}`);
    const errors = new Map<string, number>();
    for (const { responses } of Object.values(document.paths).flatMap(
      (item) => Object.values(item) as OperationObject[],
    )) {
      for (const [status, response] of Object.entries(responses)) {
        if (!response || '$ref' in response) continue;
        if (Number(status) >= 400) {
          const body = `${status} ${JSON.stringify(response)}`;
          errors.set(body, (errors.get(body) ?? 0) + 1);
        }
        for (const { schema } of Object.values(response.content ?? {})) {
          if (schema && 'properties' in schema) inline.push(JSON.stringify(schema));
        }
      }
    }
    expect(inline).toEqual([]);
    expect([...errors.values()].filter((times) => times > 1)).toEqual([]);
  });

  it('has no component with a name that generators give to the types of an operation', () => {
    const taken = new Set(
      routes.map(
        ({ operation: { operationId = '' } }) => operationId[0]?.toUpperCase() + operationId.slice(1),
      ),
    );
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.filter((name) => taken.has(name.replace(/(Responses?|Data|Errors?)$/, '')))).toEqual([]);
  });

  it('keeps what Prosa sends apart from the operations on webhooks, with a name for each', () => {
    const sent = Object.values(document.webhooks ?? {}).map(
      (item) => (item as { post: OperationObject }).post,
    );
    const ids = sent.map(({ operationId = '' }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^receive[A-Z]\w+$/.test(id))).toEqual([]);
    expect([...new Set(sent.flatMap(({ tags = [] }) => tags))]).toEqual(['Webhook events']);
  });

  it('describes a table that is sent as it is as text, and a workbook as bytes', () => {
    const imported = routes.find(({ operation }) => operation.operationId === 'importLeads');
    const body = imported?.operation.requestBody as RequestBodyObject | undefined;
    const content = body?.content ?? {};
    expect(content['text/csv']?.schema).toEqual({ type: 'string' });
    expect(content['application/vnd.ms-excel']?.schema).toEqual({ type: 'string', format: 'binary' });
    expect(content['multipart/form-data']?.schema).toMatchObject({ required: ['file'] });
  });

  describe('examples of errors', () => {
    let stranger: TestAccount;

    let knowledgebase: number;

    beforeAll(async () => {
      stranger = await app.account({ balanceUsd: 1 });
      const { body } = await app.as(stranger).post('/api/user/knowledgebases').send({ name: 'Own' });
      knowledgebase = body.data.id;
    });

    const as = (account: TestAccount, method: string) => app.as(account)[method as 'post'];
    const exampleOf = ({ operation }: DocumentedRoute, status: number): unknown =>
      (operation.responses[status] as ResponseObject | undefined)?.content?.['application/json']?.example;
    /** The path of a resource that is missing, under one that is not. */
    const missingPath = (path: string) =>
      path
        .replace(/\{knowledgebaseId\}(?=.*\{)/, String(knowledgebase))
        .replace('{uuid}', randomUUID())
        .replaceAll(/\{\w+\}/g, '2147483000');
    const send = (route: DocumentedRoute, body?: object) =>
      as(
        stranger,
        route.method,
      )(missingPath(route.path))
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

    it('name the scope that a key needs on this route', async () => {
      const keys = new Map<string, { token: string }>();
      for (const scope of ['read', 'chat']) {
        const { body } = await app
          .as(stranger)
          .post('/api/user/api-keys')
          .send({ name: scope, scopes: [scope] })
          .expect(201);
        keys.set(scope, { token: body.api_key.token });
      }
      const scopeOf = ({ operation }: DocumentedRoute) =>
        (operation as { 'x-scope'?: string })['x-scope'] ?? '';
      const some = routes.filter(
        (route) => route.path.startsWith('/api/user/') && !/^$|^(anyone|session)$/.test(scopeOf(route)),
      );
      expect(some.length).toBeGreaterThan(80);
      for (const route of some) {
        const key = keys.get(scopeOf(route) === 'read' ? 'chat' : 'read') ?? stranger;
        const { body } = await app.as(key)[route.method as 'get'](missingPath(route.path)).expect(403);
        expect({ route: nameOf(route), body }).toEqual({ route: nameOf(route), body: exampleOf(route, 403) });
      }
    });

    it('are no streams', () => {
      const streams = routes.filter(({ operation }) =>
        Object.entries(operation.responses).some(
          ([status, response]) =>
            Number(status) >= 400 && 'text/event-stream' in ((response as ResponseObject).content ?? {}),
        ),
      );
      expect(streams.map(nameOf)).toEqual([]);
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
