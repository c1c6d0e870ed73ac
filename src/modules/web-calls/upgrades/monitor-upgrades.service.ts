import { Injectable } from '@nestjs/common';
import { VoiceProcessesService } from '../../voice-workers/voice-processes.service.js';
import { CallSocketsService, type SocketUpgrade } from './call-sockets.service.js';

/** Connects the WebSockets of people who listen to calls with the voice process that has the call. */
@Injectable()
export class MonitorUpgradesService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly sockets: CallSocketsService,
  ) {}

  /** Of a call that no process has, any process refuses the token: a stranger does not learn whether there is one. @throws TooManyRequestsError */
  async open(upgrade: SocketUpgrade): Promise<void> {
    if (!(await this.sockets.admit(upgrade, 'call monitors'))) return;
    await this.sockets.connect(upgrade, {
      isAwaited: true,
      find: async () => (await this.processes.findOf(upgrade.callId)) ?? this.processes.findAny(),
    });
  }
}
