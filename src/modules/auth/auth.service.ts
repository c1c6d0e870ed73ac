import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../common/auth/authenticator.js';
import { hashToken, prefixOf } from '../../common/auth/opaque-token.js';
import type { Principal } from '../../common/auth/principal.js';
import { UnauthorizedError } from '../../common/errors/errors.js';
import type { ClientOrigin } from '../../common/http/requests/client-origin.js';
import { SecurityConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import type { Scope } from '../../common/auth/scope.js';
import { AccountsService, type AccountWithPassword } from '../accounts/accounts.service.js';
import type { Role } from '../accounts/members/role.js';
import { type KnownMember, MembersService } from '../accounts/members/members.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import {
  BadCredentialsError,
  PasswordSignInOffError,
  RegistrationClosedError,
  SessionRequiredError,
} from './auth.errors.js';
import type { JoinRequest, RegisterRequest, ResetPasswordRequest } from './dto/auth.request.js';
import { LoginBackoffService } from './passwords/login-backoff.service.js';
import { checkNewPassword } from './passwords/password-rules.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { SessionStarterService, type StartedSession } from './sessions/session-starter.service.js';
import type { LiveSession, SessionHolder } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';

/** What a person of a role may do; a role that is not here may do everything. */
const SCOPES_OF: Readonly<Partial<Record<Role, readonly Scope[]>>> = {
  operator: ['read', 'chat', 'calls', 'campaigns'],
  viewer: ['read'],
};

@Injectable()
export class AuthService extends Authenticator {
  constructor(
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly apiKeys: ApiKeysService,
    private readonly sessions: SessionsService,
    private readonly starter: SessionStarterService,
    private readonly passwords: PasswordsService,
    private readonly backoff: LoginBackoffService,
    private readonly security: SecurityConfig,
  ) {
    super();
  }

  /** @throws RegistrationClosedError | EmailTakenError | ValidationFailedError */
  async register({ country, ...details }: RegisterRequest, origin: ClientOrigin): Promise<StartedSession> {
    if (!this.security.openRegistration) throw new RegistrationClosedError();
    this.requirePasswords();
    checkNewPassword(details.password, details.email);
    const started = await this.startSession(
      await this.accounts.create({ ...details, defaultCountry: country }),
      origin,
    );
    await this.backoff.rememberAddress(started.account, origin.address);
    return started;
  }

  /** @throws PasswordSignInOffError | BadCredentialsError | TooManyRequestsError */
  async login(email: string, password: string, origin: ClientOrigin): Promise<StartedSession> {
    this.requirePasswords();
    return this.starter.recordRefusals(email, origin, async () => {
      const admission = await this.backoff.admitLogin(email, origin.address);
      const started = await this.startLogin(email, password, origin);
      await this.backoff.loginSucceeded(admission, started.account.id);
      return started;
    });
  }

  /**
   * Makes the person who accepts an invitation a member, and starts their session.
   *
   * @throws InvitationNotFoundError | EmailTakenError | ValidationFailedError
   *
   */
  async join({ token, name, password }: JoinRequest, origin: ClientOrigin): Promise<StartedSession> {
    this.requirePasswords();
    const invitation = await this.members.invitationOf(token);
    checkNewPassword(password, invitation.email);
    const started = await this.startMemberSession(
      await this.members.accept(invitation, { name, password }),
      origin,
    );
    await this.backoff.rememberAddress(started.account, origin.address);
    return started;
  }

  /**
   * Sets a new password by a link, ends all sessions of the person and starts one, in one transaction.
   *
   * @throws PasswordLinkNotFoundError | ValidationFailedError
   */
  async resetPassword(
    { token, password }: ResetPasswordRequest,
    origin: ClientOrigin,
  ): Promise<StartedSession> {
    this.requirePasswords();
    const reset = await this.passwords.prepareReset(token, password);
    const { account, link } = reset;
    const started = await this.starter.start({ account, memberId: link.memberId }, origin, (tx) =>
      this.passwords.completeReset(reset, tx),
    );
    await this.backoff.passwordReset(account, origin.address);
    return started;
  }

  /** A session in exchange for an API key, with which it ends. @throws UnauthorizedError */
  async loginByKey(caller: Principal, origin: ClientOrigin): Promise<StartedSession> {
    const holder = { account: await this.accounts.get(caller.userId), apiKeyId: caller.tokenId };
    return this.starter.start(holder, origin, async (tx) => {
      if (!(await this.apiKeys.isStillValid(caller, tx))) throw new UnauthorizedError();
    });
  }

  /**
   * A session of a person whom the identity provider has identified.
   *
   * @param withIt done in the same transaction
   * @throws MemberNotFoundError when the member was removed since
   */
  async loginIdentified(
    { userId, memberId }: SessionHolder,
    origin: ClientOrigin,
    withIt: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<StartedSession> {
    const { name, email } =
      memberId === null ? await this.accounts.get(userId) : await this.members.get(userId, memberId);
    return this.starter.start({ account: { id: userId, name, email }, memberId }, origin, async (tx) => {
      if (memberId !== null) await this.members.lock(userId, memberId, tx);
      await withIt(tx);
    });
  }

  /** A session by a link of the operator, which is used up. @throws PasswordLinkNotFoundError | MemberNotFoundError */
  async loginByLink(token: string, origin: ClientOrigin): Promise<StartedSession> {
    const link = await this.passwords.signInLinkOf(token);
    return this.loginIdentified(link, origin, (tx) => this.passwords.takeLink(link, tx));
  }

  /**
   * The same for a person who confirms an existing e-mail with its password.
   *
   * @throws BadCredentialsError | TooManyRequestsError | MemberNotFoundError
   */
  async confirmIdentified(
    person: SessionHolder & { readonly email: string },
    password: string,
    origin: ClientOrigin,
    withIt: (tx: Tx) => Promise<void>,
  ): Promise<StartedSession> {
    return this.starter.recordRefusals(person.email, origin, async () => {
      const admission = await this.backoff.admitLogin(person.email, origin.address);
      const holder =
        person.memberId === null
          ? await this.accounts.findWithPassword(person.email)
          : await this.members.find(person.userId, person.memberId);
      if (!(await this.accounts.isLogin(holder, password))) throw new BadCredentialsError();
      const started = await this.loginIdentified(person, origin, withIt);
      await this.backoff.loginSucceeded(admission, person.userId);
      return started;
    });
  }

  /** @throws SessionRequiredError for a caller with a key: keys are deleted, not logged out */
  async logout(caller: Principal): Promise<void> {
    if (caller.via !== 'session') throw new SessionRequiredError();
    await this.sessions.endCurrent(caller);
  }

  /** Who a token speaks for. A token of wrong form or checksum is refused without asking the database. */
  async authenticate(token: string): Promise<Principal | null> {
    const prefix = prefixOf(token);
    if (prefix === null) return null;
    return prefix === 'prosa_sess_' ? this.authenticateSession(token) : this.apiKeys.authenticate(token);
  }

  async findEnded(callers: readonly Principal[]): Promise<readonly Principal[]> {
    const idsOf = (via: Principal['via']) =>
      callers.filter((caller) => caller.via === via).map(({ tokenId }) => tokenId);
    const [sessions, keys] = await Promise.all([
      this.sessions.findLiveAmong(idsOf('session')),
      this.apiKeys.findValidAmong(idsOf('api-key')),
    ]);
    const valid = new Map([...sessions.map(principalOf), ...keys].map((caller) => [keyOf(caller), caller]));
    return callers.filter((caller) => !isDeepStrictEqual(valid.get(keyOf(caller)), caller));
  }

  private requirePasswords(): void {
    if (!this.security.allowsPasswords) throw new PasswordSignInOffError();
  }

  private async authenticateSession(token: string): Promise<Principal | null> {
    const session = await this.sessions.findLive(hashToken(token));
    return session && principalOf(session);
  }

  /** Refuses after the same statements and the same work, whether the e-mail is an account's, a member's or unknown. */
  private async startLogin(email: string, password: string, origin: ClientOrigin): Promise<StartedSession> {
    const [account, member] = await Promise.all([
      this.accounts.findWithPassword(email),
      this.members.findByEmail(email),
    ]);
    const isRight = await this.accounts.isLogin(account ?? member, password);
    if (isRight && account) return this.startSession(account, origin);
    if (isRight && member) return this.startMemberSession(member, origin);
    throw new BadCredentialsError();
  }

  private startMemberSession(member: KnownMember, origin: ClientOrigin): Promise<StartedSession> {
    const account = { id: member.userId, name: member.name, email: member.email };
    return this.starter.start({ account, memberId: member.id }, origin, async (tx) => {
      if (!(await this.members.isStillVerified(member, tx))) throw new BadCredentialsError();
    });
  }

  /** A password that is changed at the same moment ends the session with all others, or keeps it from being begun. */
  private startSession(account: AccountWithPassword, origin: ClientOrigin): Promise<StartedSession> {
    return this.starter.start({ account }, origin, async (tx) => {
      if (!(await this.accounts.isStillVerified(account, tx))) throw new BadCredentialsError();
    });
  }
}

function principalOf({ userId, id, origins, memberId, role, ...session }: LiveSession): Principal {
  const scopes = session.scopes ?? (role && SCOPES_OF[role]);
  return {
    userId,
    via: 'session',
    tokenId: id,
    ...(scopes ? { scopes } : {}),
    ...(origins ? { origins } : {}),
    ...(memberId === null ? {} : { memberId }),
  };
}

function keyOf({ via, tokenId }: Principal): string {
  return `${via} ${tokenId}`;
}
