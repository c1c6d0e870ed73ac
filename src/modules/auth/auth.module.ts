import { Global, Module } from '@nestjs/common';
import { Authenticator } from '../../common/auth/authenticator.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { SessionsRepository } from './sessions.repository.js';

/** Global for the sake of guards, which every controller uses and which know `Authenticator` alone. */
@Global()
@Module({
  imports: [AccountsModule, ApiKeysModule],
  controllers: [AuthController],
  providers: [AuthService, SessionsRepository, { provide: Authenticator, useExisting: AuthService }],
  exports: [Authenticator],
})
export class AuthModule {}
