import { applyDecorators, type CanActivate, Injectable, UseGuards } from '@nestjs/common';
import { ServerConfig } from '../../config/config.js';
import { InstallationPausedError } from '../errors/errors.js';

@Injectable()
class PauseGuard implements CanActivate {
  constructor(private readonly server: ServerConfig) {}

  canActivate(): boolean {
    if (this.server.isPaused) throw new InstallationPausedError();
    return true;
  }
}

/** A route that places a call or orders from a carrier. A paused installation answers it with 503. */
export const ActsOutside = () => applyDecorators(UseGuards(PauseGuard));
