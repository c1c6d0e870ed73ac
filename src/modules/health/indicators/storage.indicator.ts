import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { StorageHealthService } from '../../../providers/storage/storage-health.service.js';

@Injectable()
export class StorageIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly storage: StorageHealthService,
  ) {}

  /** Never down: chats and calls need no stored file, and no other process has a better storage. */
  async check() {
    const isUp = await this.storage.isUp();
    return this.indicators.check('storage').up({ degraded: !isUp });
  }
}
