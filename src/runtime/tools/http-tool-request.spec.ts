import { describe, expect, it } from '@jest/globals';
import { buildHttpToolRequest, type HttpToolSpec, UnsafeArgumentError } from './http-tool-request.js';
import type { ToolArguments } from './tool-arguments.js';
import type { Variables } from '../variables.js';

function build(spec: Partial<HttpToolSpec>, args: ToolArguments = {}, variables: Variables = {}) {
  return buildHttpToolRequest(
    {
      endpoint: 'https://api.example.com/orders',
      method: 'GET',
      bodyFormat: 'json',
      headers: [],
      staticFields: [],
      ...spec,
    },
    args,
    variables,
  );
}

function urlOf(endpoint: string, args: ToolArguments = {}, variables: Variables = {}): string {
  return build({ endpoint }, args, variables).url;
}

describe('placeholders in the URL', () => {
  it.each([
    ['https://h.example/o/{id}', { id: 7 }, {}, 'https://h.example/o/7'],
    ['https://h.example/o/{{id}}', {}, { id: 7 }, 'https://h.example/o/7'],
    ['https://h.example/o/{{endereço}}', {}, { endereço: 'a b' }, 'https://h.example/o/a%20b'],
    ['https://h.example/o/{id}-{id}', { id: 'a' }, {}, 'https://h.example/o/a-a'],
    [
      'https://h.example/o?q={q}&k={{k}}',
      { q: 'a b' },
      { k: 'x&y=z' },
      'https://h.example/o?q=a%20b&k=x%26y%3Dz',
    ],
    ['https://h.example/o?q={q}', {}, {}, 'https://h.example/o?q='],
    ['https://h.example/o?q={{q}}', {}, {}, 'https://h.example/o?q='],
    ['https://h.example/o/{id}#{id}', { id: 1 }, {}, 'https://h.example/o/1'],
    ['https://h.example:8443/{{ a.b-c }}', {}, { 'a.b-c': 'x' }, 'https://h.example:8443/x'],
    ['https://h.example/{{CPF/CNPJ}}/x', {}, { 'CPF/CNPJ': '1/2' }, 'https://h.example/1%2F2/x'],
    [
      'https://h.example/{{ Qual? }}?q={{cpf_cnpj}}',
      {},
      { 'Qual?': 'a', 'CPF/CNPJ': 'b' },
      'https://h.example/a?q=b',
    ],
    [
      'https://h.example/?q={{# pedido}}&v={{Valor (R$)}}',
      {},
      { '# pedido': 7, 'Valor (R$)': 5 },
      'https://h.example/?q=7&v=5',
    ],
    ['https://h.example/{{100%}}', {}, { '100%': 'a' }, 'https://h.example/a'],
    [
      'https://h.example/{{Nome Completo}}',
      {},
      { nome_completo: 'Ana Souza' },
      'https://h.example/Ana%20Souza',
    ],
  ] as const)('fills %s', (endpoint, args, variables, url) => {
    expect(urlOf(endpoint, args, variables)).toBe(url);
  });

  it.each([
    ['../admin', '..%2Fadmin'],
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['%2e%2e', '%252e%252e'],
    ['%2F', '%252F'],
    ['@evil.example', '%40evil.example'],
    ['?x=1#y', '%3Fx%3D1%23y'],
    ['a\r\nHost: evil', 'a%0D%0AHost%3A%20evil'],
    ['\0', '%00'],
    ['{id}', '%7Bid%7D'],
    ['{{secret}}', '%7B%7Bsecret%7D%7D'],
    ['ç😀', '%C3%A7%F0%9F%98%80'],
    ['\ud800', '%EF%BF%BD'],
    ['...', '...'],
  ])('keeps the value %j in its path segment', (value, encoded) => {
    expect(urlOf('https://h.example/o/{id}/end', { id: value }, { secret: 's' })).toBe(
      `https://h.example/o/${encoded}/end`,
    );
  });

  it.each([
    ['https://h.example/o/{id}', '..'],
    ['https://h.example/o/{id}', '.'],
    ['https://h.example/o/{id}/', '..'],
    ['https://h.example/o/.{id}', '.'],
    ['https://h.example/o/%2e{id}', '.'],
    ['https://h.example/o/%2E{id}', '.'],
    ['https://h.example/o\\{id}\\x', '..'],
    ['https://h.example/o/.\t{id}', '.'],
    ['https://h.example/o/.{id} ', '.'],
    ['https://h.example/o/{id}?q=1', '..'],
    ['https://h.example/o/{id}#f', '..'],
  ])('does not let %s climb with %j', (endpoint, id) => {
    expect(() => urlOf(endpoint, { id })).toThrow(UnsafeArgumentError);
    expect(() => urlOf(endpoint.replace('{id}', '{{id}}'), {}, { id })).toThrow(UnsafeArgumentError);
  });

  it.each([
    ['{x}://h.example/', 'https'],
    ['http{x}://h.example/', 's'],
    ['https://{x}/', 'evil.example'],
    ['https://{x}/', 'x'],
    ['https://{x}.example.com/', 'x'],
    ['https://h.example{x}/', '.evil.example'],
    ['https://h.example{x}', '@evil.example'],
    ['https://h.example:{x}/', '22'],
    ['https://h.example:{x}/', '443'],
    ['https://h.example:{x}/', '1'],
    ['https:{x}', '//evil.example'],
    ['https:/{x}/', 'evil.example'],
    ['https:///{x}/', '1'],
    ['https:\\\\{x}\\', 'evil.example'],
    ['https://h.example\\@{x}/', ''],
    ['//{x}/', 'evil.example'],
    ['{x}', 'https://evil.example/'],
  ])('lets no value into scheme, host or port: %s with %j', (endpoint, x) => {
    expect(() => urlOf(endpoint, { x })).toThrow(UnsafeArgumentError);
    expect(() => urlOf(endpoint.replace('{x}', '{{x}}'), {}, { x })).toThrow(UnsafeArgumentError);
  });

  it('misses a value that a path needs', () => {
    expect(() => urlOf('https://h.example/{id}/x')).toThrow('The value of "id" is missing.');
    expect(() => urlOf('https://h.example/{{id}}/x', { id: 1 })).toThrow('The value of "id" is missing.');
  });

  it.each(['__proto__', 'constructor', 'toString'])('knows no value %s that was not given', (name) => {
    expect(() => urlOf(`https://h.example/{${name}}`)).toThrow(UnsafeArgumentError);
    expect(urlOf(`https://h.example/?q={{${name}}}`)).toBe('https://h.example/?q=');
  });

  it('refuses a URL longer than servers take', () => {
    expect(() => urlOf('https://h.example/?q={q}', { q: 'é'.repeat(4_096) })).toThrow('too long');
  });
});

describe('arguments outside the URL', () => {
  const staticFields = [
    { key: 'source', value: 'prosa' },
    { key: 'caller', value: '{{customer_phone}}' },
  ];

  it.each(['GET', 'DELETE'] as const)('go to the query of %s, after its existing parameters', (method) => {
    const { url, body } = build(
      { method, endpoint: 'https://h.example/{id}?v=2', staticFields },
      { id: 7, q: 'a&b', n: 0, yes: false },
      { customer_phone: '+55 11' },
    );

    expect(url).toBe('https://h.example/7?v=2&q=a%26b&n=0&yes=false&source=prosa&caller=%2B55+11');
    expect(body).toBeUndefined();
  });

  it.each(['POST', 'PUT', 'PATCH'] as const)('go to a JSON body of %s with their types', (method) => {
    const { url, body, headers } = build(
      { method, endpoint: 'https://h.example/{id}', staticFields },
      { id: 7, q: 'a', n: 1.5, yes: true },
      { customer_phone: '"}' },
    );

    expect(url).toBe('https://h.example/7');
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body ?? '')).toEqual({ q: 'a', n: 1.5, yes: true, source: 'prosa', caller: '"}' });
  });

  it('go to a form body, encoded', () => {
    const { body, headers } = build(
      { method: 'POST', bodyFormat: 'form' },
      { q: 'a&admin=1', n: 2, e: '\r\n' },
    );

    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body).toBe('q=a%26admin%3D1&n=2&e=%0D%0A');
  });

  it.each([
    ['GET', 'json', (r: ReturnType<typeof build>) => new URL(r.url).searchParams.getAll('role')],
    ['POST', 'json', (r: ReturnType<typeof build>) => [(JSON.parse(r.body ?? '') as { role: string }).role]],
    ['POST', 'form', (r: ReturnType<typeof build>) => new URLSearchParams(r.body).getAll('role').slice(-1)],
  ] as const)('lose against a static field of the same name: %s, %s', (method, bodyFormat, rolesOf) => {
    const request = build(
      { method, bodyFormat, staticFields: [{ key: 'role', value: 'customer' }] },
      { role: 'admin' },
    );

    expect(rolesOf(request)).toEqual(['customer']);
  });

  it('send an empty JSON object when there are none', () => {
    expect(build({ method: 'POST' }).body).toBe('{}');
  });
});

describe('headers', () => {
  function headersOf(headers: HttpToolSpec['headers'], variables: Variables = {}): Record<string, string> {
    return { ...build({ headers }, {}, variables).headers };
  }

  it('are filled with variables, not with arguments', () => {
    const headers = [{ name: 'X-Caller', value: '{{phone}} {id}' }];
    const request = build({ headers }, { id: 'x' }, { phone: '+55' });

    expect(request.headers['x-caller']).toBe('+55 {id}');
  });

  it.each(['a\r\nX-Admin: yes', 'a\nb', 'a\rb', 'a\0b', 'a\u2028b', 'a😀b', 'a\u007fb'])(
    'stay one line of Latin-1 with the value %j',
    (value) => {
      expect(headersOf([{ name: 'x', value: '{{v}}' }], { v: value })['x']).toMatch(/^a [\x20-\x7e]*$/);
    },
  );

  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'TE', 'Expect'])(
    'leave %s to the connection',
    (name) => {
      expect(headersOf([{ name, value: 'evil' }])).not.toHaveProperty(name.toLowerCase());
    },
  );

  it('may replace our own Accept and the type of the body', () => {
    const { headers } = build({
      method: 'POST',
      headers: [
        { name: 'ACCEPT', value: 'text/csv' },
        { name: 'Content-Type', value: 'application/vnd.api+json' },
      ],
    });

    expect(headers).toMatchObject({ accept: 'text/csv', 'content-type': 'application/vnd.api+json' });
  });
});
