import type { CallCarrierCapabilities } from '../call/call-capabilities.js';
import { KEY_RETENTION_MS } from './sandbox-register.js';

/** The same for the sandbox in this process and for its client. */
export function sandboxCapabilities(speed: number): CallCarrierCapabilities {
  return {
    keyRetentionMs: KEY_RETENTION_MS,
    provesAbsence: true,
    transfer: 'carrier',
    sendDigits: true,
    inBandDigits: false,
    inbound: true,
    machineDetection: true,
    reachesPeople: false,
    reattachable: true,
    livesInProcess: false,
    placementsPerSecond: null,
    placementsPerSecondOfTrunk: null,
    speed,
  };
}
