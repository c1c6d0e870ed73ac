import { Module } from '@nestjs/common';
import { PhoneNumbersRepository } from './phone-numbers.repository.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@Module({ providers: [PhoneNumbersService, PhoneNumbersRepository], exports: [PhoneNumbersService] })
export class PhoneNumbersModule {}
