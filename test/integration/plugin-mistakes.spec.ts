import { describe, expect, it } from '@jest/globals';
import { addFeature } from '../../src/add-feature.js';
import {
  ApiOk,
  ApiMessageErrors,
  ApiOperation,
  ApiProperty,
  Controller,
  definePlugin,
  ForUser,
  Get,
  Module,
} from '../../src/plugins/api.js';
import { TestApp } from '../support/app.js';

class StampResponse {
  @ApiProperty()
  declare undescribed: string;
}

@Controller('user/stamps')
class StampsController {
  @Get()
  @ForUser()
  @ApiOperation({ operationId: 'listStamps', summary: 'Lists stamps' })
  @ApiOk(StampResponse)
  @ApiMessageErrors(409)
  list(): StampResponse {
    return { undescribed: 'x' };
  }
}

@Module({ controllers: [StampsController] })
class StampsModule {}

describe('a mistake of a plugin', () => {
  it('in its documentation leaves the document as it is without it', async () => {
    const documented = definePlugin({ name: 'stamps', prosa: '*', module: StampsModule });
    addFeature(documented);
    const app = await TestApp.start({}, undefined, [documented]);
    try {
      const { body } = await app.http.get('/docs-json').expect(200);
      expect(body.components.schemas.StampResponse.properties.undescribed).toEqual({ type: 'string' });
      expect(body.paths['/api/user/stamps'].get.responses['409']).toBeDefined();
    } finally {
      await app.stop();
    }
  }, 60_000);
});
