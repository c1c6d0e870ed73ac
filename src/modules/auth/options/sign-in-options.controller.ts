import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiOk } from '../../../common/http/api-docs.js';
import { SignInOptionsResponse, toSignInOptionsResponse } from '../dto/sign-in-options.response.js';
import { SignInOptionsService } from './sign-in-options.service.js';

@ApiTags('Sessions')
@Controller('auth/options')
export class SignInOptionsController {
  constructor(private readonly options: SignInOptionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'getSignInOptions',
    summary: 'The ways to sign in to this server',
    description: 'For sign-in pages, without a token.',
  })
  @ApiOk(SignInOptionsResponse)
  get() {
    return toSignInOptionsResponse(this.options.options());
  }
}
