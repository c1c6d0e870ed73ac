import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogInterceptor } from './audit-log.interceptor.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogExportsService } from './exports/audit-log-exports.service.js';
import { RefusedSignInsRepository } from './sign-ins/refused-sign-ins.repository.js';
import { RefusedSignInsService } from './sign-ins/refused-sign-ins.service.js';
import { SignInLogService } from './sign-ins/sign-in-log.service.js';

/** The audit log. Every route is audited by being there. */
@Module({
  imports: [AccountsModule],
  controllers: [AuditLogController],
  providers: [
    AuditLogExportsService,
    AuditLogRepository,
    AuditLogService,
    RefusedSignInsRepository,
    RefusedSignInsService,
    SignInLogService,
    { provide: APP_INTERCEPTOR, useClass: AuditLogInterceptor },
  ],
  exports: [AuditLogService, SignInLogService],
})
export class AuditModule {}
