import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogInterceptor } from './audit-log.interceptor.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditLogService } from './audit-log.service.js';

/** The audit log. Every route is audited by being there. */
@Module({
  imports: [AccountsModule],
  controllers: [AuditLogController],
  providers: [
    AuditLogRepository,
    AuditLogService,
    { provide: APP_INTERCEPTOR, useClass: AuditLogInterceptor },
  ],
  exports: [AuditLogService],
})
export class AuditModule {}
