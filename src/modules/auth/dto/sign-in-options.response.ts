import { ApiProperty } from '@nestjs/swagger';
import type { SignInOptions } from '../options/sign-in-options.service.js';

export class SignInOptionsResponse {
  @ApiProperty({
    description: 'Whether `POST /auth/password/forgot` sends links by e-mail',
    example: true,
  })
  declare password_links_by_email: boolean;

  @ApiProperty({ description: 'Whether people can sign in with e-mail and password', example: true })
  declare password: boolean;

  @ApiProperty({
    description: 'Whether people can sign in through an identity provider, from `GET /auth/oidc`',
    example: false,
  })
  declare oidc: boolean;
}

export function toSignInOptionsResponse({
  sendsPasswordLinks,
  allowsPasswords,
  hasOidc,
}: SignInOptions): SignInOptionsResponse {
  return { password_links_by_email: sendsPasswordLinks, password: allowsPasswords, oidc: hasOidc };
}
