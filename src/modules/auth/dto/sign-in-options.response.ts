import { ApiProperty } from '@nestjs/swagger';
import type { SignInOptions } from '../options/sign-in-options.service.js';

export class SignInOptionsResponse {
  @ApiProperty({
    description: 'Whether `POST /auth/password/forgot` sends links by e-mail',
    example: true,
  })
  declare password_links_by_email: boolean;
}

export function toSignInOptionsResponse({ sendsPasswordLinks }: SignInOptions): SignInOptionsResponse {
  return { password_links_by_email: sendsPasswordLinks };
}
