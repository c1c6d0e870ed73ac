import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addFeature } from '../../src/add-feature.js';
import {
  ApiMessageErrors,
  ApiOk,
  ApiOperation,
  ApiProperty,
  Body,
  Caller,
  ConflictException,
  Controller,
  definePlugin,
  type ErasedPage,
  ForUser,
  Get,
  Injectable,
  MaxLength,
  MessageResponse,
  Module,
  NeedsScope,
  NotFoundException,
  type Person,
  type PersonalDataSource,
  PhoneField,
  Post,
  type Principal,
  type RecordPage,
  toE164,
} from '../../src/plugins/api.js';
import { ErasureRunnerService } from '../../src/modules/privacy/erasure-runner.service.js';
import { type TestAccount, TestApp } from '../support/app.js';

class StampResponse {
  @ApiProperty()
  declare undescribed: string;
}

class StampRequest {
  @PhoneField({ description: 'Whose card it is' })
  declare phone: string;

  @MaxLength(3)
  declare letters: string;
}

@Controller('user/stamps')
@ForUser()
class StampsController {
  @Get()
  @ApiOperation({ operationId: 'listStamps', summary: 'Lists stamps' })
  @ApiOk(StampResponse)
  @ApiMessageErrors(404)
  list(): StampResponse {
    throw new NotFoundException('Card not found');
  }

  @Post()
  @NeedsScope('calls')
  @ApiOperation({ operationId: 'addStamp', summary: 'Adds a stamp' })
  @ApiOk(MessageResponse, { status: 201 })
  @ApiMessageErrors(409)
  add(@Caller() _caller: Principal, @Body() { phone }: StampRequest): MessageResponse {
    const number = toE164(phone, 'BR');
    if (number === '+5511987654321') throw new ConflictException('This card is full');
    return { message: String(number) };
  }

  @Post('reset')
  @ApiOperation({ operationId: 'resetStamps', summary: 'Removes all stamps' })
  @ApiOk(MessageResponse)
  reset(): MessageResponse {
    return { message: 'Done' };
  }
}

/** What the plugin holds about people. */
const held = new Map([['+5511987654321', { name: 'Ana' }]]);

@Injectable()
class StampsData implements PersonalDataSource {
  readonly name = 'stamps';

  read({ phoneNumber }: Person): Promise<RecordPage> {
    const data = held.get(phoneNumber);
    return Promise.resolve({ records: data ? [{ kind: 'stamp', data }] : [], next: null });
  }

  erase({ phoneNumber }: Person): Promise<ErasedPage> {
    return Promise.resolve({ erased: held.delete(phoneNumber) ? 1 : 0, busy: 0, next: null });
  }
}

@Module({ controllers: [StampsController], providers: [StampsData] })
class StampsModule {}

describe('routes of a plugin', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    const plugin = definePlugin({
      name: 'stamps',
      prosa: '*',
      module: StampsModule,
      personalData: [StampsData],
    });
    addFeature(plugin);
    app = await TestApp.start({}, undefined, [plugin]);
    owner = await app.account();
  }, 120_000);
  afterAll(() => app.stop());

  const stamp = (phone: string, letters = 'ok') =>
    app.as(owner).post('/api/user/stamps').send({ phone, letters });

  it('answer the status and the words of the exceptions that they throw', async () => {
    const missing = await app.as(owner).get('/api/user/stamps').expect(404);
    expect(missing.body).toEqual({ message: 'Card not found' });
    const full = await stamp('(11) 98765-4321').expect(409);
    expect(full.body).toEqual({ message: 'This card is full' });
  });

  it('answer the status that they document', async () => {
    await app.as(owner).post('/api/user/stamps/reset').expect(200);
    await stamp('(11) 3123-4567').expect(201);
  });

  it("answer the texts of class-validator's rules, and of phone numbers in any form", async () => {
    expect((await stamp('11 3123-4567').expect(201)).body).toEqual({ message: '+551131234567' });
    expect((await stamp('none', 'long').expect(422)).body.errors).toEqual({
      phone: ['O campo phone deve ser um telefone com DDD ou código do país.'],
      letters: ['O campo letters não pode ter mais de 3 caracteres.'],
    });
  });

  it('ask for the scope that they name, in place of the one of their path', async () => {
    const keyOf = async (scope: string) => {
      const { body } = await app
        .as(owner)
        .post('/api/user/api-keys')
        .send({ name: scope, scopes: [scope] });
      return { token: body.api_key.token as string };
    };
    const body = { phone: '11 3123-4567', letters: 'ok' };
    await app
      .as(await keyOf('calls'))
      .post('/api/user/stamps')
      .send(body)
      .expect(201);
    await app
      .as(await keyOf('campaigns'))
      .post('/api/user/stamps')
      .send(body)
      .expect(403);
  });

  it('are no place where a person is forgotten: what the plugin holds is given out and erased with the rest', async () => {
    const person = { phone_number: '+5511987654321' };
    const exported = await app.as(owner).post('/api/user/privacy/export').send(person).expect(200);
    expect(exported.body).toMatchObject({ records: [{ kind: 'stamp', data: { name: 'Ana' } }] });
    const { body } = await app.as(owner).post('/api/user/privacy/erase').send(person).expect(202);
    await app.app.get(ErasureRunnerService).run(body.data.id);
    expect([...held]).toEqual([]);
  });

  it('are in the document, also with a field that has no description', async () => {
    const { body } = await app.http.get('/docs-json').expect(200);
    expect(body.components.schemas.StampResponse.properties.undescribed).toEqual({ type: 'string' });
    expect(body.paths['/api/user/stamps'].get.responses['404']).toBeDefined();
    expect(body.paths['/api/user/stamps'].post['x-scope']).toBe('calls');
  });
});
