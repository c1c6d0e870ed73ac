import { Global, Module } from '@nestjs/common';
import { Authenticator } from '../../common/auth/authenticator.js';
import { StreamAccessService } from '../../common/auth/stream-access.service.js';
import { SessionCookieService } from '../../common/auth/session-cookie.service.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AccountAccessService } from './account-access.service.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthController } from './auth.controller.js';
import { AuthRetentionService } from './auth-retention.service.js';
import { AuthService } from './auth.service.js';
import { BrowserSessionController } from './sessions/browser-session.controller.js';
import { BrowserSessionService } from './sessions/browser-session.service.js';
import { LoginBackoffRepository } from './passwords/login-backoff.repository.js';
import { LoginBackoffService } from './passwords/login-backoff.service.js';
import { EmailsModule } from '../emails/emails.module.js';
import { OidcModule } from '../../providers/oidc/oidc.module.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcPeopleService } from './oidc/oidc-people.service.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { SignInCookieService } from './oidc/sign-in-cookie.service.js';
import { SignInOptionsController } from './options/sign-in-options.controller.js';
import { SignInOptionsService } from './options/sign-in-options.service.js';
import { PasswordEmailsService } from './password-links/password-emails.service.js';
import { PasswordRequestsController } from './password-links/requests/password-requests.controller.js';
import { PasswordRequestsRepository } from './password-links/requests/password-requests.repository.js';
import { PasswordRequestsService } from './password-links/requests/password-requests.service.js';
import { PasswordLinksController } from './password-links/password-links.controller.js';
import { PasswordLinksRepository } from './password-links/password-links.repository.js';
import { PasswordLinksService } from './password-links/password-links.service.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionStarterService } from './sessions/session-starter.service.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';

/** Global for the sake of guards, which every controller uses and which know `Authenticator` and the cookie alone. */
@Global()
@Module({
  imports: [AccountsModule, ApiKeysModule, AuditModule, EmailsModule, OidcModule],
  controllers: [
    AuthController,
    BrowserSessionController,
    OidcController,
    PasswordLinksController,
    PasswordRequestsController,
    SessionsController,
    SignInOptionsController,
  ],
  providers: [
    AccountAccessService,
    AuthRetentionService,
    AuthService,
    BrowserSessionService,
    LoginBackoffRepository,
    LoginBackoffService,
    OidcPeopleService,
    OidcSignInService,
    PasswordEmailsService,
    PasswordLinksRepository,
    PasswordLinksService,
    PasswordRequestsRepository,
    PasswordRequestsService,
    PasswordsService,
    SessionCookieService,
    SessionStarterService,
    SessionsRepository,
    SessionsService,
    SignInCookieService,
    SignInOptionsService,
    StreamAccessService,
    { provide: Authenticator, useExisting: AuthService },
  ],
  exports: [AccountAccessService, Authenticator, PasswordsService, SessionCookieService, StreamAccessService],
})
export class AuthModule {}
