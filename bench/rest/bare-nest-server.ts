// What the framework alone costs: the bare server's statements behind NestJS on Express, one route a method, nothing else.
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Get, Module, Post, Put, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { announce } from '../support/child-server.js';
import { answer, type Body as RequestBody, pool } from './statements.js';

@Controller(':userId')
class BareController {
  @Get([':kind', ':kind/:id'])
  read(@Req() { path }: Request): Promise<unknown> {
    return answer('GET', path, {});
  }

  @Post(':kind')
  create(@Req() { path }: Request, @Body() body: RequestBody): Promise<unknown> {
    return answer('POST', path, body);
  }

  @Put(':kind/:id')
  update(@Req() { path }: Request, @Body() body: RequestBody): Promise<unknown> {
    return answer('PUT', path, body);
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: ['error'] });
app.set('etag', false);
app.disable('x-powered-by');
await app.listen(0, '127.0.0.1');
announce((app.getHttpServer().address() as AddressInfo).port);
process.once('SIGTERM', () => {
  void app.close().then(() => pool.end());
});
