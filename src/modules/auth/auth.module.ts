import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { AutomateBearerStrategy, UserBearerStrategy } from './bearer.strategies.js';
import { SessionsRepository } from './sessions.repository.js';

@Module({
  imports: [AccountsModule, ApiKeysModule],
  controllers: [AuthController],
  providers: [AuthService, SessionsRepository, UserBearerStrategy, AutomateBearerStrategy],
})
export class AuthModule {}
