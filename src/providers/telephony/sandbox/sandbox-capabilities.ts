import type { CallCarrierCapabilities } from '../call/call-capabilities.js';
import { KEY_RETENTION_MS } from './sandbox-register.js';

/** Of the sandbox as one process has it, in whichever process that is. */
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
