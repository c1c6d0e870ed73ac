import { it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { toolBody } from './support/builders.js';
import { DataSource } from 'typeorm';
it('x', async () => {
  const app = await TestApp.start();
  const account = await app.account();
  let done = 0; const st: Record<string, number> = {};
  for (let i = 0; i < 4; i++) await app.as(account).post('/api/user/tools').send(toolBody()).expect(201);
  const all = Array.from({ length: 50 }, () => app.as(account).post('/api/user/tools').send(toolBody()).then((r) => { done++; st[r.status] = (st[r.status] ?? 0) + 1; }, (e) => { st[e.code] = (st[e.code] ?? 0) + 1; }));
  const pool = (app.app.get(DataSource).driver as any).master;
  for (let i = 0; i < 14; i++) { await new Promise((r) => setTimeout(r, 1000)); console.log(done, JSON.stringify(st), 'total', pool.totalCount, 'idle', pool.idleCount, 'waiting', pool.waitingCount); if (done === 50) break; }
  void all;
  await app.stop();
}, 40000);
