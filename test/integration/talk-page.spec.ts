import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { TestApp } from '../support/app.js';

const UUID = '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f';

describe('The page that talks to an assistant', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('is served for any uuid, and may load nothing but files of this server', async () => {
    const { status, text, headers } = await request(app.server).get(`/talk/${UUID}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toBe(
      "default-src 'self';connect-src 'self' ws: wss:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
    expect(headers['permissions-policy']).toBe('microphone=(self)');
    // All that it names is there.
    const files = [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect((await request(app.server).get(file)).status).toBe(200);
  });

  it('is not served for anything else, and gives away no other file', async () => {
    for (const path of [
      '/talk',
      '/talk/abc',
      `/talk/${UUID}/x`,
      '/talk-assets/',
      '/talk-assets/..%2f..%2fpackage.json',
      '/talk-assets/%2e%2e/%2e%2e/package.json',
    ]) {
      const { status } = await request(app.server).get(path);
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await request(app.server).post(`/talk/${UUID}`)).status).toBe(404);
  });
});
